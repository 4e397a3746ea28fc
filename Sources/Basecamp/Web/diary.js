"use strict";
// The diary: what somebody looks for in it, and what the next shift has to know.

// A choice's name in WORDS, and the kinds of entries that it means.
const KINDS = [
  ["kindDone", "raised,cleared,acted"], ["kindPeople", "acted"], ["kindAlarms", "raised,cleared"],
  ["kindCaptures", "arrived"], ["kindAll", ""],
];

function drawDiaryChoices() {
  const list = $("diary-kind");
  const chosen = list.selectedIndex;
  list.replaceChildren(...KINDS.map(([name, kinds]) => new Option(say(name), kinds)));
  list.selectedIndex = Math.max(chosen, 0);
}

const date = (id) => $(id).value ? new Date($(id).value).toISOString() : "";

function searched() {
  const wanted = {
    tracker: $("diary-team").value, kind: $("diary-kind").value, by: $("diary-person").value.trim(),
    text: $("diary-text").value.trim(),
    from: date("diary-from"), until: date("diary-until"),
  };
  return new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
}

const moment = (text) => new Date(text).toLocaleString(locale(),
  { day: "2-digit", month: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

function recordText(record) {
  const need = words.needNames[record.need];
  const what = {
    arrived: say({ changed: "captureChanged", deleted: "captureDeleted" }[record.act] || "captureCame"),
    cleared: say("over"), raised: need,
    replanned: say("replanned"), erased: say("erased"), gone: say("erased"),
    acted: { see: say("seen"), take: say("took"), resolve: say("closed"), note: say("noteWord") }[record.act],
  }[record.kind];
  const about = record.kind === "raised" ? "" : need;
  return [what, about, local(record.text)].filter(Boolean).join(": ");
}

function drawRecords(body) {
  $("found").textContent = body.count > body.records.length
    ? say("foundMore", body.count, body.records.length) : say("found", body.count);
  $("records").replaceChildren(...body.records.map((record) => {
    const row = make("tr");
    const whom = record.trackers.map(nameOf).join(", ");
    const number = record.alarm ? `${say("alarm")} ${record.alarm}` : "";
    const cell = make("td", recordText(record));
    if (record.by || number) {
      cell.append(make("small", [number, record.by].filter(Boolean).join(", ")));
    }
    row.append(make("td", moment(record.at)), make("td", whom), cell);
    return row;
  }));
}

$("search").onsubmit = async (event) => {
  event.preventDefault();
  const wanted = searched();
  try {
    const answer = await ask(`records?${wanted}`);
    if (answer.status !== 200) {
      $("found").textContent = answer.body.error;
      return;
    }
    drawRecords(answer.body);
    wanted.set("format", "csv");
    $("diary-table").href = `/room/records?${wanted}`;
    $("diary-table").hidden = false;
  } catch (error) {
    $("found").textContent = String(error.message);
  }
};

// What was since then, and what is open, with whom to call.
function handover(body) {
  const acts = body.acts.map((act) => `${moment(act.at)} ${teamNames(act)}${recordText(act)} (${act.by})`);
  const open = body.open.map((one) => {
    const alarm = state.alarms.find((other) => other.number === one);
    if (!alarm) return `${one}.`;
    const phones = alarm.trackers.map((tracker) => team(tracker)?.phone).filter(Boolean).join(", ");
    const holder = alarm.by ? say(alarm.state === "seen" ? "seenBy" : "takenBy", alarm.by) : "";
    return [`${alarm.number}. ${words.needNames[alarm.need]}: ${names(alarm)}`,
      say("since", clock(alarm.since)), local(alarm.evidence), holder, phones].filter(Boolean).join(", ");
  });
  return [say("shiftSum", moment(body.since), body.raised, body.cleared), ...acts,
    say("stillOpen", open.length), ...open];
}

function teamNames(record) {
  const all = record.trackers.map(nameOf).join(", ");
  return all && `${all}: `;
}

$("shift").onsubmit = async (event) => {
  event.preventDefault();
  $("handover").hidden = false;
  try {
    const answer = await ask(`handover?${new URLSearchParams({ since: date("shift-since") })}`);
    const lines = answer.body.error ? [answer.body.error] : handover(answer.body);
    $("handover-text").replaceChildren(...lines.map((line) => make("p", line)));
  } catch (error) {
    $("handover-text").textContent = String(error.message);
  }
};

$("print").onclick = () => print();
