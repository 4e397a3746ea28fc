"use strict";
// Emergencies that nobody has read: a bar that stays in sight, the tab's title, and a siren where
// a person has agreed to it. Most browsers allow sound only after a click.

const AGREED = "siren"; // in localStorage: yes or no; else nobody was asked yet
let sound = null; // the AudioContext, once somebody has agreed
let voice = null; // what sounds now
let isTrialDue = false; // to be heard once, as soon as the browser lets it
let trialEnd = 0;
let drawnSiren = "";

const isStaff = () => !$("main").hidden && ["control", "checkpoint"].includes(me.role);
const isEmergency = (alarm) => alarm.open && alarm.need === "emergency";
// Who has only seen it has not read it.
const isUnread = (alarm) => isEmergency(alarm) && ["raised", "seen"].includes(alarm.state);
// Nothing hides such a team.
const isCalling = (one) => Boolean(state.alarms?.some(
  (alarm) => isEmergency(alarm) && alarm.trackers.includes(one.tracker)));
// For one person and one alarm. Another course gives alarms other numbers.
const muteKey = (alarm) =>
  `muted ${alarm.number} ${alarm.since} ${me.person || $("me").value.trim()}`;
const isMuted = (alarm) => sessionStorage.getItem(muteKey(alarm)) !== null;

// To be called with each event and each second.
function watchSiren() {
  const calls = isStaff() && state?.alarms ? state.alarms.filter(isUnread) : [];
  const loud = calls.filter((alarm) => !isMuted(alarm));
  sing(loud.length > 0 || isTrialDue || Date.now() < trialEnd);
  if (isTrialDue && sound?.state === "running") {
    isTrialDue = false;
    trialEnd = Date.now() + 900;
    setTimeout(watchSiren, 1000);
  }
  const isOdd = Math.floor(Date.now() / 1000) % 2 === 1;
  const title = !calls.length || loud.length && isOdd ? pageTitle()
    : `‼ ${words.needNames.emergency}: ${calls.map(names).join(", ")}`;
  if (document.title !== title) document.title = title;
  drawSiren(calls);
}

// What keeps the siren silent; null: nothing.
function obstacle() {
  if (localStorage.getItem(AGREED) !== "yes") return "sirenOff";
  if (!window.AudioContext) return "sirenNone";
  return sound?.state === "running" ? null : "sirenBlocked";
}

function drawSiren(calls) {
  const agreed = localStorage.getItem(AGREED);
  let hint = agreed === "yes" || calls.length ? obstacle() : null;
  if (agreed === null) hint = "sirenAsk";
  if (!isStaff()) hint = null;
  const drawn = JSON.stringify([document.documentElement.lang, isStaff(), agreed, hint,
    calls.map((alarm) => [alarm.number, names(alarm), alarm.state, isMuted(alarm)])]);
  const isHeard = voice && sound.state === "running";
  document.body.dataset.siren = isHeard ? "sounds" : calls.length ? "shows" : "";
  if (drawn === drawnSiren || isHeld) return;
  drawnSiren = drawn;
  $("siren").hidden = !calls.length && !hint;
  $("siren").className = calls.length ? "loud" : "";
  keepFocus($("siren"), () => $("siren").replaceChildren(
    ...calls.map(drawCall), ...(hint ? [drawHint(hint)] : [])));
  $("siren-switch").hidden = !isStaff() || agreed === null;
  $("siren-switch").textContent = say(agreed === "yes" ? "sirenStop" : "sirenStart");
}

function drawCall(alarm) {
  const line = make("p");
  line.append(make("strong", `‼ ${words.needNames.emergency}: ${names(alarm)}. ${say("unread")} `));
  const mute = () => sessionStorage.setItem(muteKey(alarm), "");
  if (isMuted(alarm)) line.append(make("span", say("muted")));
  else if (localStorage.getItem(AGREED) === "yes") line.append(sirenButton("mute", mute, alarm.number));
  return line;
}

function drawHint(hint) {
  const line = make("p", `${say(hint)} `);
  if (hint !== "sirenAsk") return line;
  for (const [name, answer] of [["sirenYes", "yes"], ["sirenNo", "no"]]) {
    line.append(sirenButton(name, () => agree(answer)), " ");
  }
  return line;
}

function sirenButton(name, act, number = "") {
  const button = make("button", say(name));
  button.dataset.key = `${name}${number}`;
  button.onclick = () => {
    act();
    watchSiren();
  };
  return button;
}

function agree(answer) {
  localStorage.setItem(AGREED, answer);
  isTrialDue = answer === "yes";
}

// Two tones in turn, without a file and without a timer, which browsers slow down in the background.
function sing(isWanted) {
  const may = localStorage.getItem(AGREED) === "yes" && window.AudioContext;
  if (may && !sound) {
    sound = new AudioContext();
    sound.onstatechange = watchSiren;
  }
  if (may && isWanted && !voice) {
    const [tone, turns, depth, volume] = [sound.createOscillator(), sound.createOscillator(),
      sound.createGain(), sound.createGain()];
    tone.type = "triangle";
    tone.frequency.value = 800;
    turns.type = "square";
    turns.frequency.value = 1.2;
    depth.gain.value = 200;
    volume.gain.value = 0.5;
    turns.connect(depth).connect(tone.frequency);
    tone.connect(volume).connect(sound.destination);
    for (const source of [tone, turns]) source.start();
    voice = { stop: () => { for (const source of [tone, turns]) source.stop(); } };
  }
  if (voice && !(may && isWanted)) {
    voice.stop();
    voice = null;
  }
}

// What a browser wants before it lets a page sound.
for (const name of ["pointerdown", "keydown"]) {
  addEventListener(name, () => {
    if (sound?.state === "suspended") sound.resume().catch(() => {});
  });
}
$("siren-switch").onclick = () => {
  agree(localStorage.getItem(AGREED) === "yes" ? "no" : "yes");
  watchSiren();
};
