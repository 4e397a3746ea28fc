"use strict";
// Who needs a human: a card for each team with open alarms, and what one does with them.

function drawAlarms() {
  const open = state.alarms.filter((alarm) => alarm.open);
  const order = Object.keys(WORDS.en.needNames);
  // An emergency stays on top; of the others what somebody has taken comes last.
  const isTaken = (alarm) => alarm.state === "taken" && alarm.need !== "emergency";
  // Telephones that anybody may have come after the teams.
  const isUnknown = (alarm) => String(alarm.trackers[0]).startsWith("text ");
  open.sort((a, b) => isTaken(a) - isTaken(b) || order.indexOf(a.need) - order.indexOf(b.need)
    || isUnknown(a) - isUnknown(b) || a.since.localeCompare(b.since));
  // A volunteer at a place sees emergencies alone.
  $("calls").hidden = me.role !== "control" && !open.length;
  const unheard = me.role !== "control" ? []
    : state.teams.filter((one) => one.heard === null && !isNeedy(one));
  $("calm").hidden = open.length > 0;
  $("calm").textContent = say(unheard.length === state.teams.length ? "nothingYet" : "calm");
  $("unheard").hidden = !unheard.length || unheard.length === state.teams.length;
  $("unheard").textContent = say("unheard", unheard.length,
    unheard.slice(0, 8).map((one) => nameOf(one.tracker)).join(", ") + (unheard.length > 8 ? "…" : ""));
  // A team has one card: its most urgent alarm, and the others below it. But each emergency has one.
  const cards = new Map();
  for (const alarm of open) {
    const [only, ...more] = alarm.trackers;
    const isAnother = alarm.need === "emergency" && cards.has(only);
    const key = only === undefined || more.length || isAnother ? `alarm ${alarm.number}` : only;
    cards.set(key, [...cards.get(key) || [], alarm]);
  }
  keepFocus($("alarms"), () => $("alarms").replaceChildren(...[...cards.values()].map(drawCard)));
  const past = state.alarms.filter((alarm) => !alarm.open);
  $("past").replaceChildren(...past.map((alarm) => {
    const end = alarm.state === "resolved" ? say("resolvedBy", alarm.by, alarm.reason) : say("over");
    return make("li", `${alarm.number}. ${names(alarm)}: ${words.needNames[alarm.need]}, `
      + `${say("since", clock(alarm.since))}, ${end}`);
  }));
}

// What to do about it.
function advice(alarm) {
  // Nobody at a place has the teams' telephones.
  if (me.role === "checkpoint") return say("adviceAtPlace");
  const many = { 0: "silentAll", 1: "silent" }[alarm.trackers.length] || "silentStretch";
  return words.advice[alarm.need === "silent" ? many : alarm.need];
}

function drawCard([alarm, ...others]) {
  const kinds = [URGENT.includes(alarm.need) && "urgent", alarm.state === "taken" && "taken"];
  const item = make("li", undefined, kinds.filter(Boolean).join(" "));
  const title = make("strong", `${words.needNames[alarm.need]}: `);
  const only = alarm.trackers.length === 1 ? alarm.trackers[0] : null;
  title.append(only ? teamButton(team(only) || { tracker: only }, `alarm${alarm.number}`) : names(alarm));
  item.append(title);
  item.append(make("p", history(alarm)));
  if (only && team(only)?.latitude != null) item.append(make("p", whereabouts(team(only))));
  item.append(make("p", `→ ${advice(alarm)}`));
  const acts = make("div", undefined, "acts");
  for (const tracker of me.role === "control" ? alarm.trackers.slice(0, 3) : []) {
    const phone = team(tracker)?.phone;
    if (!phone) acts.append(make("span", say("noPhone")));
    if (!phone) continue;
    const link = make("a", `☎ ${phone}`);
    link.href = `tel:${phone.replace(/[^0-9+]/g, "")}`;
    acts.append(link);
  }
  item.append(addActs(alarm, acts));
  for (const other of others) {
    const line = make("div", undefined, "other");
    const text = make("p");
    text.append(make("strong", words.needNames[other.need]), `: ${history(other)} → ${advice(other)}`);
    line.append(text, addActs(other, make("div", undefined, "acts")));
    item.append(line);
  }
  return item;
}

// Since when, and what speaks for it.
function history(alarm) {
  const since = alarm.need === "emergency" ? "received" : "since";
  return `${say(since, clock(alarm.since))} (${span(now() - Date.parse(alarm.since))})`
    + ` – ${local(alarm.evidence)}`;
}

// Who looks after it, and what one can do with it.
function addActs(alarm, acts) {
  if (alarm.by) acts.append(make("span", say(alarm.state === "seen" ? "seenBy" : "takenBy", alarm.by)));
  // The team sees on its tracker that a human has read it.
  if (alarm.answer) acts.append(make("span", fate(alarm.answer)));
  else if (alarm.need === "emergency" && alarm.state === "taken") acts.append(make("span", say("untold")));
  if (me.role !== "control") return acts;
  const mine = me.person || $("me").value.trim();
  const takeOver = alarm.by === mine ? [] : ["takeOver"];
  // Of an emergency only who takes it has read it.
  const first = alarm.need === "emergency" ? ["take"] : ["seen", "take"];
  const buttons = { raised: first, seen: ["take"], taken: takeOver }[alarm.state] || [];
  for (const name of [...buttons, "resolve"]) {
    const button = make("button", say(name));
    button.dataset.key = `${name}${alarm.number}`;
    button.onclick = () => {
      if (name === "seen") act({ see: alarm.number });
      else if (name !== "resolve") act({ take: alarm.number });
      else close(alarm);
    };
    acts.append(button);
  }
  return acts;
}

function close(alarm) {
  $("why-title").textContent = `${words.needNames[alarm.need]}: ${names(alarm)}`;
  $("reason").value = "";
  $("why").onclose = () => {
    if ($("why").returnValue === "close" && $("reason").value.trim()) act({ resolve: alarm.number, text: $("reason").value });
  };
  $("why").returnValue = "";
  $("why").showModal();
  $("reason").focus();
}

// --- What people do

async function act(form) {
  if (!me.person && !$("me").value.trim()) {
    $("me-said").textContent = say("name");
    $("me").focus();
    return false;
  }
  form.by = $("me").value;
  try {
    const answer = await ask("act", new URLSearchParams(form));
    // What it has changed comes over the stream.
    complain(answer.body.error || state.problem || "");
    return answer.status === 200;
  } catch (error) {
    complain(String(error.message));
    return false;
  }
}

// Whoever clicked far below sees it, too.
function complain(text) {
  $("problem").textContent = text;
  if (text && text !== state.problem) $("problem").scrollIntoView({ block: "nearest" });
}
