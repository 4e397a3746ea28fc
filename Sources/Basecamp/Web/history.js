"use strict";
// Positions between two captures, which a team's tracker is asked for.

let historyTrack = null; // their layer on the map

// What the tracker says of it, in its fixed words.
function historyFate(one) {
  const plan = /^at most (\d+) positions, ([\d.]+) min(?:, ([\d.]+) mWh)?$/.exec(one.result || "");
  if (plan) return say("historyPlan", plan[1], plan[2], plan[3] ?? "?");
  const end = /^sent (\d+) of (\d+)(?:; missing: (.*))?$/.exec(one.result || "");
  if (!end) return fate(one);
  const why = Object.entries(words.gaps).reduce((text, [code, name]) => text.replace(code, name), end[3] || "");
  return say("historySent", end[1], end[2]) + (why && `; ${say("historyMissing", why)}`);
}

function historyText(one) {
  const [, from, until, step] = /^history (\S+Z) (\S+Z) (\d+) s$/.exec(one.text) || [];
  return step ? say("historyOf", clock(from), clock(until), step) : one.text;
}

function drawHistory(tracker, one) {
  const item = make("li", `${clock(one.created)} ${one.by}: ${historyText(one)} (${historyFate(one)})`);
  if (!one.positions.length) return item;
  const show = make("button", say("historyShow", one.positions.length));
  show.type = "button";
  show.onclick = () => showHistory(one.positions);
  item.append(" ", show);
  for (const format of ["csv", "gpx"]) {
    const link = make("a", format.toUpperCase());
    link.href = `/room/history?${new URLSearchParams({ tracker, number: one.number, format })}`;
    link.download = `${tracker.replace(/\W+/g, "-")}-${one.number}.${format}`;
    item.append(" ", link);
  }
  return item;
}

function showHistory(positions) {
  if (!map || !map.addLayer) return;
  historyTrack?.remove();
  const color = getComputedStyle(document.documentElement).getPropertyValue("--urgent");
  // No line: what is between two positions is not known.
  historyTrack = L.layerGroup(positions.map((one) => L.circleMarker([one.latitude, one.longitude],
    { radius: 2.5, color, weight: 1, fillOpacity: 1 }).bindTooltip(make("span", clock(one.taken)))));
  historyTrack.addTo(map);
  isMoved = true;
  map.fitBounds(positions.map((one) => [one.latitude, one.longitude]), { padding: [20, 20], maxZoom: 17 });
  $("map").scrollIntoView({ block: "nearest" });
}

// As the fields of a form have it: in the browser's time zone.
const fieldTime = (ms) => new Date(ms - new Date(ms).getTimezoneOffset() * 60000).toISOString().slice(0, 19);

// At first: the hour before its last position.
function drawHistoryForm(story) {
  const last = Date.parse(story.captures.filter((one) => one.taken).at(-1)?.taken);
  $("history-from").value = last ? fieldTime(last - 3600000) : "";
  $("history-until").value = last ? fieldTime(last) : "";
}

// The newest first.
async function drawHistories(tracker) {
  const answer = await askList("history", tracker);
  if (!answer) return;
  $("histories").replaceChildren(...answer.histories.reverse().map((one) => drawHistory(tracker, one)));
}

$("history").onsubmit = async (event) => {
  event.preventDefault();
  const tracker = chosen;
  const date = (id) => new Date($(id).value).toISOString().replace(/\.\d+Z/, "Z");
  const text = `history ${date("history-from")} ${date("history-until")} ${Number($("history-step").value)} s`;
  if (await send("messages", { tracker, text, order: "1" }, "history-said")) await drawHistories(tracker);
};
