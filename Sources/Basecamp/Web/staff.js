"use strict";
// What the staff writes: notes, and the links of followers.

function drawTeamChoices() {
  for (const list of [$("note-team"), $("diary-team")]) drawTeamsIn(list);
}

function drawTeamsIn(list) {
  const codes = state.teams.map((one) => one.tracker);
  if ([...list.options].slice(1).map((option) => option.value).join("\n") === codes.join("\n")) return;
  const chosen = list.value;
  list.replaceChildren(new Option("–", ""), ...state.teams.map(
    (one) => new Option(nameOf(one.tracker), one.tracker)));
  list.value = codes.includes(chosen) ? chosen : "";
}

$("cancel").onclick = () => $("why").close("");

$("note").onsubmit = async (event) => {
  event.preventDefault();
  const form = { text: $("note-text").value };
  if ($("note-team").value) form.tracker = $("note-team").value;
  $("noted").textContent = "";
  if (!await act(form)) return;
  $("note-text").value = "";
  $("note-team").value = "";
  $("noted").textContent = say("noted", clock(now()));
};

// Sends a person's form, with who that is.
async function send(path, form, said) {
  $(said).textContent = "";
  if (!me.person && !$("me").value.trim()) {
    $(said).textContent = say("name");
    return false;
  }
  try {
    const answer = await ask(path, new URLSearchParams({ ...form, by: $("me").value }));
    $(said).textContent = answer.body.error || say("noted", clock(now()));
    return answer.status === 200;
  } catch (error) {
    $(said).textContent = String(error.message);
    return false;
  }
}

$("roster").onsubmit = async (event) => {
  event.preventDefault();
  await send("roster", {
    tracker: chosen, name: $("roster-name").value, phone: $("roster-phone").value,
    public: $("roster-public").checked ? "yes" : "no",
  }, "roster-said");
};

$("add-team").onsubmit = async (event) => {
  event.preventDefault();
  await choose($("add-number").value.trim());
  $("add-number").value = "";
  $("roster-name").focus();
};

function drawLinks(body) {
  const links = body.links.filter((link) => !link.revoked && Date.parse(link.expires) > now());
  $("links").replaceChildren(...links.map((link) => {
    const item = make("li");
    const button = make("button", say("revoke"));
    button.onclick = () => changeLinks({ revoke: link.number });
    item.append(make("span", `${link.label}, ${say("until", new Date(link.expires)
      .toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" }))}`), button);
    return item;
  }));
  if (body.key) {
    const link = make("a", `${location.origin}/room#follow=${body.key}`);
    link.href = link.textContent;
    $("new-link").replaceChildren(say("newLink"), " ", link);
  }
}

async function changeLinks(form) {
  $("new-link").textContent = "";
  try {
    const answer = await ask("links", form && new URLSearchParams(form));
    if (answer.status === 200) drawLinks(answer.body);
    else $("new-link").textContent = answer.body.error;
  } catch (error) {
    $("new-link").textContent = String(error.message);
  }
}

$("link").onsubmit = async (event) => {
  event.preventDefault();
  await changeLinks({ label: $("link-label").value });
  $("link-label").value = "";
};
