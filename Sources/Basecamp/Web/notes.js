"use strict";
// Notes of a team, which it and the room write and edit.

let edited = null; // the note that the form edits; null: it writes a new one

function endNote() {
  edited = null;
  $("team-note-text").value = "";
  $("team-note-said").textContent = "";
  drawNoteForm();
}

function drawNoteForm() {
  const list = $("team-note-category");
  const chosen = list.value;
  list.replaceChildren(...Object.entries(words.categories).map(([code, name]) => new Option(name, code)));
  if (chosen) list.value = chosen;
  $("team-note-label").textContent = edited ? say("editNote", edited.name) : say("teamNote");
  $("team-note-cancel").hidden = !edited;
}

function editNote(note) {
  const last = note.versions.at(-1);
  edited = note;
  $("team-note-text").value = last.text;
  if (words.categories[last.category]) $("team-note-category").value = last.category;
  drawNoteForm();
  $("team-note-text").focus();
}

const versionText = (one) => [one.written && clock(one.written), one.by,
  `(${words.categories[one.category] || one.category}):`, one.text ?? say("removed")].filter(Boolean).join(" ");

function drawNote(note) {
  const item = make("li");
  if (note.versions.length > 1) item.append(make("p", say("unseen"), "pair"));
  item.append(...note.versions.map((one) => make("p", `${note.name} ${versionText(one)}`)));
  if (note.deleted) item.append(make("p", `${note.name} ${say("removed")}`));
  else {
    const edit = make("button", say("edit"));
    edit.onclick = () => editNote(note);
    const remove = make("button", say("remove"));
    remove.onclick = () => writeNote({ note: note.id, delete: "yes" });
    item.append(edit, remove);
  }
  if (note.history.length > 1) {
    const all = make("details");
    all.append(make("summary", say("history", note.history.length)),
      ...note.history.map((one) => make("p", versionText(one))));
    item.append(all);
  }
  return item;
}

// The newest first; what a deletion has covered stays readable.
async function drawNotes(tracker) {
  if (me.role !== "control") return;
  drawNoteForm();
  const answer = await askList("notes", tracker);
  if (answer) $("team-notes").replaceChildren(...answer.notes.reverse().map(drawNote));
}

async function writeNote(form) {
  const tracker = chosen;
  if (!await send("notes", { tracker, ...form }, "team-note-said")) return;
  const said = $("team-note-said").textContent;
  endNote();
  $("team-note-said").textContent = said;
  await drawNotes(tracker);
}

$("team-note").onsubmit = async (event) => {
  event.preventDefault();
  await writeNote({
    text: $("team-note-text").value, category: $("team-note-category").value,
    ...(edited && { note: edited.id }),
  });
};

$("team-note-cancel").onclick = endNote;
