"use strict";
// One team: its way on the map, when it was heard, its places.

const RACE = 4 * 24 * 3600 * 1000; // ms: longer ago is another race

let chosen = null; // its tracker
let track = null; // its layer on the map
let known = ""; // what was drawn of it
let points = []; // two captures, between which is measured
const asked = {}; // how often each list of the chosen team was asked for

async function choose(tracker) {
  chosen = tracker;
  points = [];
  historyTrack?.remove();
  endNote();
  drawRoster();
  await drawStory(true);
}

// Only when it is chosen: what somebody is writing stays.
function drawRoster() {
  const one = team(chosen);
  $("roster-name").value = one?.name || "";
  $("roster-phone").value = one?.phone || "";
  $("roster-public").checked = Boolean(one?.public);
  $("roster-said").textContent = "";
}

function unchoose() {
  chosen = null;
  track?.remove();
  historyTrack?.remove();
  track = null;
  $("one").hidden = true;
  drawTeams();
}

async function drawStory(isNew) {
  if (!chosen || me.role === "checkpoint") return;
  const tracker = chosen;
  const { latitude, longitude, taken, heard, name, phone, mail, notes } = team(tracker) || {};
  const row = JSON.stringify([tracker, latitude, longitude, taken, heard, name, phone, mail, notes]);
  if (!isNew && row === known) return;
  known = row;
  let answer;
  try {
    answer = await ask(`team?${new URLSearchParams({ tracker })}`);
  } catch {
    known = "";
    return;
  }
  if (tracker !== chosen) return;
  const one = team(tracker);
  const story = answer.status === 200 ? answer.body : { captures: [], passages: [], arrivals: [] };
  $("one").hidden = false;
  $("one-title").textContent = nameOf(tracker);
  $("one-phone").hidden = !one?.phone;
  if (one?.phone) {
    $("one-phone").textContent = `☎ ${one.phone}`;
    $("one-phone").href = `tel:${one.phone.replace(/[^0-9+]/g, "")}`;
  }
  $("one-facts").textContent = answer.status === 200 ? facts(story, one) : answer.body.error;
  drawLanes(story);
  drawPlaces(story);
  drawTrack(story, isNew);
  $("one-alarms").replaceChildren(...(state.alarms || [])
    .filter((alarm) => alarm.trackers.includes(tracker))
    .map((alarm) => make("li", `${alarm.number}. ${words.needNames[alarm.need]}, `
      + `${say("since", clock(alarm.since))}: ${local(alarm.evidence)}`)));
  if (isNew) drawHistoryForm(story);
  drawOrders();
  drawMessages(tracker);
  drawHistories(tracker);
  drawNotes(tracker);
  if (isNew) $("one-title").focus();
}

// A list of the chosen team's, or nothing: where it was asked for again since, its answer may be
// older than what is drawn; where the server could not answer, the next state asks again.
async function askList(path, tracker) {
  if (me.role !== "control") return null;
  const number = asked[path] = (asked[path] || 0) + 1;
  let answer = null;
  try {
    answer = await ask(`${path}?${new URLSearchParams({ tracker })}`);
  } catch {
    // As an answer that is an error.
  }
  if (tracker !== chosen || number !== asked[path]) return null;
  if (answer?.status === 200) return answer.body;
  known = "";
  return null;
}

// What was sent to the team, the newest first, and whether its tracker has it.
async function drawMessages(tracker) {
  const answer = await askList("messages", tracker);
  if (!answer) return;
  const others = answer.messages.filter((one) => !isHistory(one));
  $("messages").replaceChildren(...others.reverse().map((one) => make("li",
    `${clock(one.created)} ${one.by}: ${messageText(one)} (${fate(one)})`)));
}

function orderText(text) {
  const [name, ...value] = text.split(" ");
  return [Object.hasOwn(words.orders, name) ? words.orders[name] : name, ...value].join(" ");
}

const isHistory = (one) => one.kind === "order" && one.text.startsWith("history ");
const messageText = (one) => one.kind === "message" ? one.text
  : one.kind === "order" ? orderText(one.text)
  : say(one.kind === "read" ? "takenBy" : "resolvedBy", one.by, one.text);
const fate = (one) => one.result
  ? say(one.result === "fetched" ? "willObey" : "orderResult", one.result)
  : one.fetched ? say("fetched", clock(one.fetched)) : say("queued");

// What the tracker may be ordered: its own configuration says which of them it obeys.
const ORDER_EXAMPLES = { "": "", call: null, capture: null, interval: "5 min", contacts: "20 min",
  finish: "2026-04-19T14:00", start: null, stop: null, undo: "call" };

function drawOrders() {
  const kind = $("message-kind").value;
  $("message-kind").replaceChildren(...Object.keys(ORDER_EXAMPLES).map((name) => {
    const option = make("option", words.orders[name]);
    option.value = name;
    return option;
  }));
  $("message-kind").value = kind;
  $("message-text").disabled = ORDER_EXAMPLES[kind] === null;
  $("message-text").placeholder = ORDER_EXAMPLES[kind] || "";
}

$("message-kind").onchange = drawOrders;

$("message").onsubmit = async (event) => {
  event.preventDefault();
  const [kind, value] = [$("message-kind").value, $("message-text").value];
  const form = { tracker: chosen, text: kind ? `${kind} ${value}`.trim() : value };
  if (kind) form.order = "1";
  if (!await send("messages", form, "message-said")) return;
  $("message-text").value = "";
  await drawMessages(form.tracker);
};

function facts(story, one) {
  const last = story.captures.filter((capture) => capture.taken).at(-1);
  const parts = [say("captures", story.captures.length)];
  if (one?.from_phone) parts.unshift(say("phoneProves"));
  if (last) parts.push(`${say("last")}: ${clock(last.taken)}`);
  if (one?.latitude != null) parts.push(whereabouts(one));
  if (story.pace_mps) parts.push(say("pace", number(story.pace_mps * 3.6, 1)));
  if (one?.battery_percent != null) parts.push(`${say("battery")}: ${Math.round(one.battery_percent)} %`);
  if (story.battery_end) parts.push(say("empty", clock(story.battery_end)));
  return parts.join(" · ");
}

function shape(kind, attributes) {
  const element = document.createElementNS($("blank").namespaceURI, kind);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// When it was heard, what it had promised, and how full its battery was, along one axis of time.
function drawLanes(story) {
  $("lanes").replaceChildren();
  const contacts = (story.contacts || []).map((contact) => ({
    at: Date.parse(contact.at), promise: contact.promise && Date.parse(contact.promise) }));
  if (!contacts.length) return;
  const taken = story.captures.filter((one) => one.taken).map((one) => Date.parse(one.taken));
  const [start, end] = [Math.min(contacts[0].at, ...taken.slice(0, 1)), Math.max(now(), contacts.at(-1).at + 1)];
  const x = (time) => 1000 * (time - start) / (end - start);
  const lane = (title, shapes) => {
    const picture = shape("svg", { viewBox: "0 0 1000 40", preserveAspectRatio: "none", role: "img" });
    picture.setAttribute("aria-label", title);
    picture.append(...shapes);
    $("lanes").append(make("p", title), picture);
  };
  const bars = [];
  contacts.forEach((contact, index) => {
    const until = contacts[index + 1]?.at ?? now();
    const due = Math.min(until, contact.promise ?? until);
    bars.push(shape("rect", { class: "kept", x: x(contact.at), y: 14, height: 12, 
      width: x(due) - x(contact.at) }));
    if (due < until) bars.push(shape("rect", { class: "late", x: x(due), y: 4, height: 32,
      width: x(until) - x(due) }));
    bars.push(shape("line", { class: "tick", x1: x(contact.at), x2: x(contact.at), y1: 6, y2: 34 }));
  });
  lane(`${say("contacts")}, ${clock(start)}–${clock(end)}`, bars);
  const charge = story.captures.filter((one) => one.taken && one.battery_percent != null)
    .map((one) => `${x(Date.parse(one.taken)).toFixed(1)},${(38 - one.battery_percent * 0.36).toFixed(1)}`);
  if (charge.length > 1) {
    lane(`${say("battery")}, 0–100 %`, [shape("polyline", { class: "curve", points: charge.join(" ") })]);
  }
}

// A course of last year has last year's hours.
const isOfThisRace = (date) => Math.abs(Date.parse(date) - now()) < RACE;

function drawPlaces(story) {
  const isPlanned = story.passages.some((one) => one.due);
  const names = ["place", "passed", "expected"].concat(isPlanned ? ["planned"] : []);
  $("place-columns").replaceChildren(...names.map((name) => {
    const cell = make("th", say(name));
    cell.scope = "col";
    return cell;
  }));
  $("places").replaceChildren(...story.passages.map((passage) => {
    const arrival = story.arrivals.find((one) => one.place === passage.place);
    const row = make("tr");
    const place = make("td", passage.place);
    place.append(make("small", say("km", number(passage.metres / 1000, 1))));
    const passed = passage.time ? clock(passage.time) : passage.state === "missing" ? say("missed") : "";
    const expected = make("td", arrival ? clock(arrival.expected) : "");
    if (arrival) {
      const closes = isOfThisRace(arrival.closes) ? `, ${say("closes", clock(arrival.closes))}` : "";
      expected.append(make("small", `${clock(arrival.earliest)}–${clock(arrival.latest)}${closes}`));
    }
    row.append(place, make("td", passed), expected);
    if (isPlanned) {
      const planned = make("td", passage.due ? clock(passage.due) : "");
      planned.append(make("small", behindPlan(passage.behind_s)
        || (passage.state === "past_due" && isOfThisRace(passage.due) ? say("pastDue") : "")));
      row.append(planned);
    }
    return row;
  }));
}

function drawTrack(story, isNew) {
  if (!map || !map.addLayer) return;
  track?.remove();
  const captures = story.captures.filter((one) => one.taken);
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--link");
  const way = captures.map((one) => [one.latitude, one.longitude]);
  track = L.layerGroup([L.polyline(way, { color: ink, weight: 4, dashArray: "6 6" })]);
  for (const one of captures) {
    L.circleMarker([one.latitude, one.longitude], { radius: 5, color: ink, weight: 2 })
      .bindTooltip(make("span", clock(one.taken) + offBy(one))).on("click", () => measure(one)).addTo(track);
  }
  track.addTo(map);
  $("one-measure").textContent ||= captures.length > 1 ? say("measure") : "";
  if (isNew && way.length) {
    // Its label stands to the right of its last point.
    const room = Math.min(170, $("map").clientWidth / 2);
    map.fitBounds(way, { paddingTopLeft: [30, 30], paddingBottomRight: [room, 30], maxZoom: 15 });
  }
}

// Between two captures that were clicked: time, and distance on the course or as the crow flies.
function measure(capture) {
  points = [...points, capture].slice(-2);
  if (points.length < 2) return;
  const [a, b] = [...points].sort((one, other) => one.taken.localeCompare(other.taken));
  const onCourse = a.done_m !== null && b.done_m !== null;
  const metres = onCourse ? Math.abs(b.done_m - a.done_m)
    : map.distance([a.latitude, a.longitude], [b.latitude, b.longitude]);
  $("one-measure").textContent = say(onCourse ? "between" : "straight", clock(a.taken), clock(b.taken),
    number(metres / 1000, 2), span(Date.parse(b.taken) - Date.parse(a.taken)));
}

$("one-close").onclick = unchoose;
