"use strict";
// The control room's page. It asks for the whole state every few seconds and draws it anew; texts
// from outside only ever become text.

const EVERY = 3000; // ms between two questions
const PATIENCE = 6000; // ms until an answer counts as lost
const URGENT = ["emergency", "silent"];

let words = WORDS.en;
let state = null;
let heardAt = null; // by this browser's clock
let ahead = 0; // the server's clock minus this one's, ms
let map = null;
const marks = new Map();
const $ = (id) => document.getElementById(id);

function say(name, ...args) {
  return args.reduce((text, arg, index) => text.replace(`{${index + 1}}`, arg), words[name]);
}

function make(kind, text, className) {
  const element = document.createElement(kind);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
}

const now = () => Date.now() + ahead;
const clock = (date) => new Date(date).toLocaleTimeString([],
  { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const local = (text) => text.replace(/\[(\d{4}-[^\]]*Z)\]/g, (_, date) => clock(date));

function span(ms) {
  const minutes = Math.floor(Math.abs(ms) / 60000);
  if (minutes < 1) return `${Math.floor(Math.abs(ms) / 1000)} s`;
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

// --- Talking to the server

async function ask(path, form) {
  const headers = {};
  const token = sessionStorage.getItem("token");
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(`/room/${path}`, {
    method: form ? "POST" : "GET", body: form, headers, cache: "no-store",
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (answer.status === 401) {
    $("login").hidden = false;
    $("main").hidden = true;
    throw new Error("401");
  }
  return { status: answer.status, body: await answer.json() };
}

function take(body) {
  state = body;
  heardAt = Date.now();
  ahead = Date.parse(body.now) - heardAt;
  const chosen = WORDS[body.language] || WORDS.en;
  if (chosen !== words || !$("columns").children.length) useWords(chosen, body.language);
  $("login").hidden = true;
  $("main").hidden = false;
  draw();
}

async function poll() {
  try {
    const answer = await ask("state");
    if (answer.status === 200) take(answer.body);
    if (!map && answer.status === 200) await drawCourse();
  } catch {
    // What it shows says itself how old it is.
  }
  drawLive();
  setTimeout(poll, EVERY);
}

async function act(form) {
  if (!$("me").value.trim()) {
    $("problem").textContent = say("name");
    $("me").focus();
    return;
  }
  form.by = $("me").value;
  try {
    const answer = await ask("act", new URLSearchParams(form));
    if (answer.status === 200) take(answer.body);
    $("problem").textContent = answer.body.error || state.problem || "";
  } catch (error) {
    $("problem").textContent = String(error.message);
  }
}

// --- Drawing

function useWords(chosen, language) {
  words = chosen;
  document.documentElement.lang = language || "en";
  document.title = say("title");
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = say(element.dataset.word);
  }
  const columns = ["", "team", "state", "last", "due", "battery", "next"];
  $("columns").replaceChildren(...columns.map((name) => {
    const cell = make("th", name ? say(name) : "");
    cell.scope = "col";
    return cell;
  }));
}

function drawLive() {
  const isLive = heardAt !== null && Date.now() - heardAt < EVERY + PATIENCE;
  $("live").className = isLive ? "" : "dead";
  $("live").textContent = isLive
    ? `${say("live")}, ${clock(now())}` : say("dead", heardAt ? clock(heardAt + ahead) : "–");
}

function draw() {
  const open = state.alarms.filter((alarm) => alarm.open);
  const order = Object.keys(WORDS.en.needNames);
  open.sort((a, b) => order.indexOf(a.need) - order.indexOf(b.need)
    || a.since.localeCompare(b.since));
  $("calm").hidden = open.length > 0;
  keepFocus($("alarms"), () => $("alarms").replaceChildren(...open.map(drawAlarm)));
  const past = state.alarms.filter((alarm) => !alarm.open);
  $("past").replaceChildren(...past.map((alarm) => {
    const end = alarm.state === "resolved" ? say("resolvedBy", alarm.by, alarm.reason) : say("over");
    return make("li", `${alarm.number}. ${names(alarm)}: ${words.needNames[alarm.need]}, `
      + `${say("since", clock(alarm.since))}, ${end}`);
  }));
  if (state.problem) $("problem").textContent = state.problem;
  drawBoard();
  drawTeams();
  drawLive();
}

// A button that was focused stays so when its list is drawn again.
function keepFocus(list, draw) {
  const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  draw();
  if (key) list.querySelector(`[data-key="${key}"]`)?.focus();
}

function team(tracker) {
  return state.teams.find((one) => one.tracker === tracker);
}

function names(alarm) {
  if (!alarm.trackers.length) return say("everyone");
  return alarm.trackers.map((tracker) => team(tracker)?.name || tracker).join(", ");
}

function drawAlarm(alarm) {
  const item = make("li", undefined, URGENT.includes(alarm.need) ? "urgent" : "");
  item.append(make("strong", `${words.needNames[alarm.need]}: ${names(alarm)}`));
  item.append(make("p", `${say("since", clock(alarm.since))} (${span(now() - Date.parse(alarm.since))})`
    + ` – ${local(alarm.evidence)}`));
  const acts = make("div", undefined, "acts");
  for (const tracker of alarm.trackers.slice(0, 3)) {
    const phone = team(tracker)?.phone;
    if (!phone) continue;
    const link = make("a", `☎ ${phone}`);
    link.href = `tel:${phone.replace(/[^0-9+]/g, "")}`;
    acts.append(link);
  }
  if (alarm.by) acts.append(make("span", say(alarm.state === "seen" ? "seenBy" : "takenBy", alarm.by)));
  const buttons = { raised: ["seen", "take"], seen: ["take"], taken: [] }[alarm.state] || [];
  for (const name of [...buttons, "resolve"]) {
    const button = make("button", say(name));
    button.dataset.key = `${name}${alarm.number}`;
    button.onclick = () => {
      if (name === "seen") act({ see: alarm.number });
      else if (name === "take") act({ take: alarm.number });
      else close(alarm);
    };
    acts.append(button);
  }
  item.append(acts);
  return item;
}

function close(alarm) {
  $("why-title").textContent = `${words.needNames[alarm.need]}: ${names(alarm)}`;
  $("reason").value = "";
  $("why").onclose = () => {
    if ($("why").returnValue === "close") act({ resolve: alarm.number, text: $("reason").value });
  };
  $("why").returnValue = "";
  $("why").showModal();
  $("reason").focus();
}

const number = (value, digits) => value.toLocaleString(words === WORDS.en ? "en" : "ca",
  { minimumFractionDigits: digits, maximumFractionDigits: digits });

function stateText(one) {
  const parts = one.needs.map((need) => words.needNames[need.need]);
  if (words.silences[one.silence]) parts.push(words.silences[one.silence]);
  if (one.stated) parts.push(words.stated[one.stated]);
  else if (one.finished) parts.push(say("finished"));
  if (!one.heard) parts.push(say("never"));
  return parts.join(", ");
}

// Whether nothing is to come of it.
const isOver = (one) => one.finished || ["finished", "stoppedByPerson"].includes(one.stated);

// A mark that needs no colour: ‼ help, ! look, ? late, ✓ arrived.
function mark(one) {
  if (one.needs.some((need) => URGENT.includes(need.need))) return "‼";
  if (one.needs.length) return "!";
  if (one.finished) return "✓";
  return one.promise && Date.parse(one.promise) < now() && !isOver(one) ? "?" : "";
}

function drawBoard() {
  const wanted = $("find").value.trim().toLowerCase();
  const rows = state.teams.filter((one) => [one.name, one.tracker, stateText(one), one.next_place]
    .join(" ").toLowerCase().includes(wanted));
  $("rows").replaceChildren(...rows.map((one) => {
    const row = make("tr", undefined, one.needs.length ? "needy" : "");
    const cell = (text, small) => {
      const made = make("td", text);
      if (small) made.append(make("small", small));
      row.append(made);
      return made;
    };
    cell(mark(one)).className = "mark";
    cell(one.name || one.tracker, one.name ? one.tracker : "");
    cell(stateText(one), one.undated_captures ? say("undated", one.undated_captures) : "");
    const where = one.done_m !== null ? say("km", number(one.done_m / 1000, 1))
      : one.latitude !== null ? say("off") : "";
    cell(where, one.taken ? say("ago", span(now() - Date.parse(one.taken))) : "");
    const due = one.promise ? Date.parse(one.promise) - now() : null;
    cell(due === null || isOver(one) ? "" : clock(one.promise),
      due === null || isOver(one) ? ""
        : due >= 0 ? say("inTime", span(due)) : say("lateBy", span(due)));
    cell(one.battery_percent === null ? "" : `${Math.round(one.battery_percent)} %`);
    const band = one.next_earliest ? `${clock(one.next_earliest)}–${clock(one.next_latest)}` : "";
    cell(one.finished ? "" : one.next_place || "", one.finished ? "" : band);
    return row;
  }));
}

// --- The map

async function drawCourse() {
  if (typeof L === "undefined") {
    $("no-map").hidden = false;
    $("map").hidden = true;
    map = {};
    return;
  }
  const { body } = await ask("course");
  map = L.map("map", { attributionControl: false, zoomSnap: 0.25 });
  map.invalidateSize();
  L.control.scale({ imperial: false }).addTo(map);
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--text");
  if (body.line) {
    const line = L.polyline(body.line, { color: ink, weight: 3 }).addTo(map);
    map.fitBounds(line.getBounds(), { padding: [20, 20] });
    for (const place of body.places) {
      L.circleMarker(place.at, { radius: 7, color: ink, weight: 2, fillOpacity: 0 })
        .bindTooltip(make("span", place.name)).addTo(map);
    }
  } else {
    map.setView([42, 2.8], 9);
  }
  drawTeams();
}

function drawTeams() {
  if (!map || !map.addLayer) return;
  for (const one of state.teams) {
    if (one.latitude === null) continue;
    const age = say("ago", span(now() - Date.parse(one.taken)));
    const label = make("span", `${mark(one)} ${one.name || one.tracker}, ${age}`.trim());
    const className = `team ${one.needs.length ? "needy" : mark(one) === "?" ? "late" : ""}`;
    const icon = L.divIcon({ className, html: label, iconSize: null, iconAnchor: [0, 10] });
    const known = marks.get(one.tracker);
    if (known) known.setLatLng([one.latitude, one.longitude]).setIcon(icon);
    else {
      marks.set(one.tracker, L.marker([one.latitude, one.longitude],
        { icon, keyboard: false, zIndexOffset: one.needs.length ? 1000 : 0 }).addTo(map));
    }
  }
}

// --- The beginning

$("me").value = localStorage.getItem("me") || "";
$("me").onchange = () => localStorage.setItem("me", $("me").value);
$("find").oninput = () => state && drawBoard();
$("login").onsubmit = async (event) => {
  event.preventDefault();
  const form = new URLSearchParams({
    username: $("user").value, password: $("password").value, client: "requestip", f: "json",
  });
  try {
    const answer = await fetch("/arcgis/tokens/generateToken", { method: "POST", body: form });
    const body = await answer.json();
    $("refused").textContent = body.token ? "" : say("wrong");
    if (!body.token) return;
    sessionStorage.setItem("token", body.token);
    if (!$("me").value) $("me").value = $("user").value;
    $("password").value = "";
    const first = await ask("state");
    take(first.body);
  } catch (error) {
    $("refused").textContent = String(error.message);
  }
};
const first = (navigator.languages || []).map((code) => code.slice(0, 2)).find((code) => WORDS[code]);
useWords(WORDS[first] || WORDS.en, first);
setInterval(drawLive, 1000);
poll();
