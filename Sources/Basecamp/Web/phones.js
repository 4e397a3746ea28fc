"use strict";
// The telephones that may report where they are.

function drawPhones(body) {
  const phones = body.phones.filter((phone) => !phone.revoked && Date.parse(phone.expires) > now());
  $("phones").replaceChildren(...phones.map((phone) => {
    const item = make("li");
    const button = make("button", say("revoke"));
    button.onclick = () => changePhones({ revoke: phone.number });
    const until = new Date(phone.expires).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
    item.append(make("span", [`${phone.number}. ${phone.name}`, phone.tracker,
      ...(phone.is_tracker ? [say("isTracker")] : []), phone.app || say("never"), say("until", until)].join(" · ")), button);
    return item;
  }));
  if (!body.key) return;
  const address = `${location.origin}/phone/${body.key}`;
  if (body.phones[0].is_tracker) drawNewTracker(address);
  else drawNewPhone(address);
}

function drawNewTracker(address) {
  $("new-phone").replaceChildren(say("newTracker"), " ", make("code", address));
}

// Its address, as text, as a code for Traccar Client, as what OwnTracks is set up by, and as OsmAnd
// needs it.
function drawNewPhone(address) {
  const link = make("a", address);
  link.href = address;
  const owntracks = make("a", say("phoneOwnTracks"));
  const settings = btoa(JSON.stringify({ _type: "configuration", mode: 3, url: address }));
  owntracks.href = `owntracks:///config?inline=${encodeURIComponent(settings)}`;
  const osmand = make("p", `OsmAnd: ${address}?lat={0}&lon={1}&timestamp={2}`);
  $("new-phone").replaceChildren(say("newPhone"), " ", link, " ", owntracks, osmand);
  const code = drawCode(address);
  if (code) $("new-phone").append(code);
}

// A QR code, or nothing without the library.
function drawCode(text) {
  if (typeof qrcode === "undefined") return null;
  const code = qrcode(0, "M");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  let dark = "";
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (code.isDark(row, column)) dark += `M${column},${row}h1v1h-1z`;
    }
  }
  // Four modules of white around it, as readers need.
  const picture = shape("svg", { viewBox: `-4 -4 ${size + 8} ${size + 8}`, class: "code", role: "img" });
  picture.setAttribute("aria-label", text);
  picture.append(shape("rect", { x: -4, y: -4, width: size + 8, height: size + 8, fill: "#fff" }),
    shape("path", { d: dark, fill: "#000" }));
  return picture;
}

async function changePhones(form) {
  $("new-phone").textContent = "";
  if (form && !me.person && !$("me").value.trim()) {
    $("new-phone").textContent = say("name");
    return;
  }
  try {
    const answer = await ask("phones", form && new URLSearchParams({ ...form, by: $("me").value }));
    if (answer.status === 200) drawPhones(answer.body);
    else $("new-phone").textContent = answer.body.error;
  } catch (error) {
    $("new-phone").textContent = String(error.message);
  }
}

$("phone").onsubmit = async (event) => {
  event.preventDefault();
  const form = { name: $("phone-name").value };
  if ($("phone-code").value.trim()) form.tracker = $("phone-code").value.trim();
  if ($("phone-tracker").checked) form.kind = "tracker";
  await changePhones(form);
  $("phone-name").value = "";
  $("phone-tracker").checked = false;
  $("phone-code").value = "";
};
