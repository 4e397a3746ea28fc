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

function drawHistory(tracker, one) {
  const item = make("li", `${clock(one.created)} ${one.by}: ${one.text} (${historyFate(one)})`);
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
  historyTrack = L.layerGroup(positions.map((one) => L.circleMarker([one.latitude, one.longitude],
    { radius: 3, weight: 1 }).bindTooltip(make("span", clock(one.taken))))).addTo(map);
  map.fitBounds(positions.map((one) => [one.latitude, one.longitude]), { maxZoom: 17 });
}

// The newest first.
async function drawHistories(tracker) {
  if (me.role !== "control") return;
  let answer;
  try {
    answer = await ask(`history?${new URLSearchParams({ tracker })}`);
  } catch {
    known = "";
    return;
  }
  if (tracker !== chosen || answer.status !== 200) return;
  $("histories").replaceChildren(...answer.body.histories.reverse().map((one) => drawHistory(tracker, one)));
}

$("history").onsubmit = async (event) => {
  event.preventDefault();
  const tracker = chosen;
  const date = (id) => new Date($(id).value).toISOString().replace(/\.\d+Z/, "Z");
  const text = `history ${date("history-from")} ${date("history-until")} ${Number($("history-step").value)} s`;
  if (await send("messages", { tracker, text, order: "1" }, "history-said")) await drawHistories(tracker);
};
