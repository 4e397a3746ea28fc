"use strict";
// The control room's page. It reads a stream of events: the whole state, and then what changes.
// Texts from outside only ever become text.

const PATIENCE = 6000; // ms until an answer counts as lost
const SILENCE = 8500; // ms until the stream does: the server is heard every 4 s
const LOST = 2000; // ms without a stream until the page says so
const AGAIN = 500; // ms until it asks for a stream again, and as much more at random
const ATTEMPT = [2000, 4000, 8000]; // ms that an attempt may take, the next ones longer
const REDRAW = 10000; // ms, because ages grow
const URGENT = ["emergency", "silent"];

let words = WORDS.en;
let me = {}; // the session: role, person, place, csrf
let state = null;
let heardAt = null; // by this browser's clock, as all that follows
let lostAt = null; // since when there is no stream
let stream = null; // the attempt that lasts
let lastEvent = null; // its identifier
let failures = 0;
let ahead = 0; // the server's clock minus this one's, ms
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
// With the day where that is not today.
function clock(date) {
  const day = new Date(date).toDateString() === new Date(now()).toDateString() ? {} : { weekday: "short" };
  return new Date(date).toLocaleString(locale(),
    { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}
// Of the page's words, not of the browser: a day stands before its month.
const locale = () => words === WORDS.en ? "en-GB" : document.documentElement.lang;
const local = (text) => text.replace(/\[(\d{4}-[^\]]*Z)\]/g, (_, date) => clock(date));

function span(ms) {
  const minutes = Math.floor(Math.abs(ms) / 60000);
  if (minutes < 1) return `${Math.floor(Math.abs(ms) / 1000)} s`;
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

// --- Talking to the server

async function ask(path, form) {
  const headers = me.csrf ? { "X-CSRF-Token": me.csrf } : {};
  const answer = await fetch(`/room/${path}`, {
    method: form ? "POST" : "GET", body: form, headers, cache: "no-store",
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (answer.status === 401) {
    show(false);
    throw new Error("401");
  }
  return { status: answer.status, body: await answer.json() };
}

function show(isIn) {
  $("login").hidden = isIn;
  $("main").hidden = !isIn;
  $("logout").hidden = !isIn || !me.csrf;
  $("me-label").hidden = !isIn || Boolean(me.person) || me.role !== "control";
  $("who").textContent = isIn && me.csrf ? [me.person, me.place].filter(Boolean).join(", ") : "";
  document.body.dataset.role = me.role || "";
}

// A stream by fetch: EventSource does not tell that one has to log in, and asks again when it likes.
async function listen() {
  if (!me.role) return;
  stream?.abort();
  const mine = new AbortController();
  stream = mine;
  if (lostAt === null) lostAt = Date.now();
  const patience = setTimeout(() => mine.abort(), ATTEMPT[Math.min(failures, ATTEMPT.length - 1)]);
  try {
    const headers = {};
    if (lastEvent) headers["Last-Event-ID"] = lastEvent;
    const answer = await fetch("/room/events", { headers, cache: "no-store", signal: mine.signal });
    clearTimeout(patience);
    if (answer.status === 401) {
      stream = null;
      show(false);
      return;
    }
    if (answer.ok) await read(answer.body.pipeThrough(new TextDecoderStream()).getReader());
  } catch {
    // What the page shows says itself how old it is.
  }
  clearTimeout(patience);
  if (stream !== mine) return;
  stream = null;
  failures += 1;
  if (lostAt === null) lostAt = Date.now();
  setTimeout(() => { if (!stream) listen(); }, AGAIN * (1 + Math.random()));
}

async function read(reader) {
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop();
    for (const event of events) hear(event);
    heardAt = Date.now();
    lostAt = null;
    failures = 0;
    watchSiren();
    drawSoon();
    if (!map && state) askCourse();
  }
}

let isCourseAsked = false;
async function askCourse() {
  if (isCourseAsked) return;
  isCourseAsked = true;
  try {
    await drawCourse();
  } catch {
    // Asked again with the next event.
  }
  isCourseAsked = false;
}

function hear(text) {
  const event = {};
  for (const line of text.split("\n")) {
    const colon = line.indexOf(": ");
    if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 2);
  }
  if (!event.data) return;
  const data = JSON.parse(event.data);
  // A state may have been kept for a while; what is said of the time at once is newer.
  if (data.now && event.event !== "state") ahead = Date.parse(data.now) - Date.now();
  if (event.event === "state") take(data);
  else if (event.event === "change" && state) change(data);
  else if (event.event === "cut") $("cut").textContent = say("cut", clock(data.at));
  if (event.id) lastEvent = event.id;
}

function take(body) {
  if (!state) ahead = Date.parse(body.now) - Date.now();
  state = body;
  const chosen = WORDS[body.language] || WORDS.en;
  if (chosen !== words || !$("columns").children.length) useWords(chosen, body.language);
  if (me.role !== body.role) me.role = body.role;
}

function change(changes) {
  for (const [name, value] of Object.entries(changes)) {
    if (!Array.isArray(value)) state[name] = value;
  }
  if ("problem" in changes) $("problem").textContent = changes.problem || "";
  for (const [name, key] of [["teams", "tracker"], ["alarms", "number"]]) {
    if (!state[name]) continue;
    const entries = new Map(state[name].map((one) => [one[key], one]));
    for (const one of changes[name] || []) entries.set(one[key], one);
    const order = changes[`${name}_order`] || state[name].map((one) => one[key]);
    state[name] = order.map((one) => entries.get(one));
  }
}

// A stream that has died says nothing: not of the network, nor of a computer that slept.
function watch() {
  if (stream && lostAt === null && Date.now() - heardAt > SILENCE) {
    lostAt = heardAt;
    listen();
  }
  drawLive();
  watchSiren();
}

function listenAtOnce() {
  failures = 0;
  if (lostAt !== null || !stream || Date.now() - heardAt > SILENCE) listen();
}

// --- Drawing

function useWords(chosen, language) {
  words = chosen;
  document.documentElement.lang = language || "en";
  drawTitle();
  for (const element of document.querySelectorAll("[data-word]")) {
    element.textContent = say(element.dataset.word);
  }
  drawColumns();
  drawDiaryChoices();
}

// What each role is told of a team.
const COLUMNS = {
  control: ["", "team", "state", "last", "due", "battery", "next", "plan", "rank"],
  checkpoint: ["", "team", "state", "last", "due", "next", "plan", "rank"],
  follower: ["", "team", "last", "next", "plan", "rank"],
};

// Without a timetable, or before anybody has passed a place, there is nothing to say of it.
const OPTIONAL = {
  plan: (one) => one.planned != null || one.behind_plan_s != null,
  rank: (one) => one.rank != null,
};

function columns() {
  const isKnown = (name) => !OPTIONAL[name] || state?.teams.some(OPTIONAL[name]);
  return (COLUMNS[me.role] || []).filter(isKnown);
}

// A family follows a walk, and has no control room.
const pageTitle = () => say(me.role === "follower" ? "followTitle" : "title");

function drawTitle() {
  document.title = pageTitle();
  $("title").textContent = pageTitle();
}

let drawnColumns = "";
function drawColumns() {
  drawnColumns = columns().join();
  $("columns").replaceChildren(...columns().map((name) => {
    const cell = make("th");
    cell.scope = "col";
    if (!name) return cell;
    const button = make("button", say(name));
    button.onclick = () => {
      sorting = { column: name, isDown: sorting.column === name && !sorting.isDown };
      drawColumns();
      drawBoard();
      $("columns").querySelector("[aria-sort] button")?.focus();
    };
    if (sorting.column === name) {
      cell.setAttribute("aria-sort", sorting.isDown ? "descending" : "ascending");
    }
    cell.append(button);
    return cell;
  }));
}

// The board's own order is by who needs a human; a click on a column's name is another.
let sorting = {};
const ORDERS = {
  team: (one) => one.name || one.tracker,
  state: (one) => mark(one) + stateText(one),
  last: (one) => one.done_m ?? -1,
  due: (one) => one.promise || "",
  battery: (one) => one.battery_percent ?? -1,
  next: (one) => one.next_expected || "",
  plan: (one) => one.behind_plan_s ?? -Infinity,
  rank: (one) => one.rank ?? Infinity,
};

function sorted(rows) {
  const key = ORDERS[sorting.column];
  if (!key) return rows;
  const sign = sorting.isDown ? -1 : 1;
  const compare = (a, b) => typeof a === "string" ? a.localeCompare(b) : a - b;
  // Infinities that are equal have no difference.
  return [...rows].sort((a, b) => sign * (compare(key(a), key(b)) || 0));
}

function drawLive() {
  const lost = lostAt === null ? 0 : Date.now() - lostAt;
  const isLive = heardAt !== null && lost < LOST && Date.now() - heardAt < SILENCE;
  if (!me.role) return;
  $("live").className = isLive ? "" : "dead";
  $("live").textContent = isLive
    ? `${say("live")}, ${clock(now())}` : say("dead", heardAt ? clock(heardAt + ahead) : "–");
}

// Not while a button is held down: its click would be lost with it.
let isHeld = false;
let isDue = false;
function drawSoon() {
  isDue = isHeld;
  if (!isHeld && state) draw();
}
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, () => setTimeout(() => {
    isHeld = false;
    if (isDue) drawSoon();
  }));
}
addEventListener("pointerdown", () => { isHeld = true; });

function draw() {
  $("delay").hidden = !state.delay_s;
  $("delay").textContent = say("delayed", Math.round(state.delay_s / 60));
  if (state.alarms) drawAlarms();
  if (state.problem) $("problem").textContent = state.problem;
  drawBoard();
  drawTeams();
  drawTeamChoices();
  drawLive();
  drawStory(false);
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
  return alarm.trackers.map(nameOf).join(", ");
}

// A code may be made of what nobody sees.
const nameOf = (tracker) => team(tracker)?.name
  || tracker.replace(/[\p{C}\p{Z}]/gu, (c) => c === " " ? c : `\\u{${c.codePointAt(0).toString(16)}}`);

// Where to send somebody: as the course has it, and for whoever has a map.
function whereabouts(one) {
  return [
    one.done_m !== null ? say("km", number(one.done_m / 1000, 1)) : say("off"),
    one.next_place && say("before", one.next_place),
    `${one.latitude.toFixed(5)}, ${one.longitude.toFixed(5)}${offBy(one)}`,
    say("ago", span(now() - Date.parse(one.taken))),
  ].filter(Boolean).join(" · ");
}

// How far a position may be off, where its tracker said so.
const offBy = (one) => one.accuracy_m == null ? "" : ` ± ${number(one.accuracy_m, 0)} m`;

const number = (value, digits) => value.toLocaleString(locale(),
  { minimumFractionDigits: digits, maximumFractionDigits: digits });

function stateText(one) {
  const parts = (one.needs || []).map((need) => words.needNames[need.need]);
  const isSaid = (one.needs || []).some((need) => need.need === "silent") && one.silence === "unknown";
  if (words.silences[one.silence] && !isSaid) parts.push(words.silences[one.silence]);
  if (one.stated) parts.push(words.stated[one.stated]);
  else if (one.finished) parts.push(say("finished"));
  if (one.heard === null) parts.push(say("never"));
  if (one.from_phone) parts.push(say("isPhone"));
  return parts.join(", ");
}

// Whether nothing is to come of it.
const isOver = (one) => one.finished || ["finished", "stoppedByPerson"].includes(one.stated);

// A mark that needs no colour: ‼ help, ! look, ? late, ✓ arrived.
function mark(one) {
  const needs = one.needs || [];
  if (isCalling(one) || needs.some((need) => URGENT.includes(need.need))) return "‼";
  if (needs.length) return "!";
  if (one.finished) return "✓";
  return one.promise && Date.parse(one.promise) < now() && !isOver(one) ? "?" : "";
}

function drawBoard() {
  if (drawnColumns !== columns().join()) drawColumns();
  const wanted = plain($("find").value.trim());
  const rows = state.teams.filter((one) => isCalling(one)
    || [one.name, one.tracker, stateText(one), one.next_place]
      .some((text) => plain(text || "").includes(wanted)));
  keepFocus($("rows"), () => $("rows").replaceChildren(...sorted(rows).map((one) => {
    const row = make("tr", undefined, isNeedy(one) ? "needy" : "");
    for (const column of columns()) {
      const [text, small] = CELLS[column](one);
      const cell = make("td", column === "team" ? undefined : text, column ? `of-${column}` : "mark");
      if (column === "team") cell.append(teamButton(one));
      if (small) cell.append(make("small", small));
      row.append(cell);
    }
    return row;
  })));
}

// Who types at night types no accents.
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function teamButton(one, key = `team${one.tracker}`) {
  const name = nameOf(one.tracker);
  if (me.role === "checkpoint") return make("span", name);
  const button = make("button", name, "link");
  button.dataset.key = key;
  button.onclick = () => choose(one.tracker);
  return button;
}

const isNeedy = (one) => isCalling(one) || Boolean(one.needs && one.needs.length);

// The text of each column, and what stands small below it.
const CELLS = {
  "": (one) => [mark(one)],
  team: (one) => [one.name || one.tracker, one.name && me.role !== "follower" ? one.tracker : ""],
  state: (one) => [stateText(one), one.undated_captures ? say("undated", one.undated_captures) : ""],
  last: (one) => [
    one.done_m !== null ? say("km", number(one.done_m / 1000, 1))
      : one.latitude !== null ? say("off") : one.shown_from ? say("shownFrom", clock(one.shown_from)) : "",
    one.taken ? say("ago", span(now() - Date.parse(one.taken))) : ""],
  due: (one) => {
    if (!one.promise || isOver(one)) return [""];
    const due = Date.parse(one.promise) - now();
    return [clock(one.promise), due >= 0 ? say("inTime", span(due)) : say("lateBy", span(due))];
  },
  battery: (one) => [one.battery_percent === null ? "" : `${Math.round(one.battery_percent)} %`],
  next: (one) => one.finished ? [say("finished")] : [one.next_place || "",
    one.next_earliest ? `${clock(one.next_earliest)}–${clock(one.next_latest)}` : ""],
  plan: (one) => [behindPlan(one.behind_plan_s),
    one.planned && !one.finished ? say("plannedAt", clock(one.planned)) : ""],
  rank: (one) => one.rank == null ? [""] : [`${one.rank}.`, one.behind_first_s
    ? say("behindFirst", span(one.behind_first_s * 1000), one.ranked_at) : one.ranked_at],
};

function behindPlan(seconds) {
  if (seconds == null) return "";
  if (Math.abs(seconds) < 60) return say("onTime");
  return say(seconds > 0 ? "behindPlan" : "aheadOfPlan", span(seconds * 1000));
}

// --- The beginning

// Comes in with a path's form, or with the session that there is.
async function enter(path, form) {
  try {
    const answer = await ask(path, form && new URLSearchParams(form));
    if (answer.status !== 200) {
      $("refused").textContent = answer.body.error;
      show(false);
      return;
    }
    me = answer.body;
    $("refused").textContent = "";
    show(true);
    drawTitle();
    drawColumns();
    if (me.role === "control") {
      changeLinks();
      changePhones();
    }
  } catch (error) {
    if (path === "login" || error.message === "401") return;
    setTimeout(() => enter(path, form).then(listen), AGAIN);
  }
}

function begin() {
  $("me").value = localStorage.getItem("me") || "";
  $("me").onchange = () => localStorage.setItem("me", $("me").value);
  $("me").oninput = () => { $("me-said").textContent = ""; };
  $("find").oninput = () => state && drawBoard();
  $("login").onsubmit = async (event) => {
    event.preventDefault();
    await enter("login", { user: $("user").value, password: $("password").value });
    $("password").value = "";
    listen();
  };
  $("logout").onclick = async () => {
    await ask("logout", new URLSearchParams()).catch(() => {});
    // The link would let a follower in again.
    location.hash = "";
    location.reload();
  };
  const first = (navigator.languages || []).map((code) => code.slice(0, 2)).find((code) => WORDS[code]);
  useWords(WORDS[first] || WORDS.en, first);
  setInterval(watch, 1000);
  setInterval(drawSoon, REDRAW);
  addEventListener("online", listenAtOnce);
  addEventListener("pageshow", (event) => { if (event.persisted) listenAtOnce(); });
  // A browser may have thrown away what came while the page was frozen.
  document.addEventListener("resume", listen);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) listenAtOnce(); });
  const followed = new URLSearchParams(location.hash.slice(1)).get("follow");
  enter(followed ? "enter" : "session", followed ? { key: followed } : undefined).then(listen);
}

addEventListener("DOMContentLoaded", begin);
