"use strict";
// The map: the course, and where each team was last.

const LETTER = 8.5; // px of a label's letter, about
const LINE = 22; // px of its height
const BELOW = 7; // px from a point to a label below it

let map = null;
let bounds = null; // of the course
let isMoved = false; // by a person
let circles = null; // how far positions may be off
const marks = new Map(); // by tracker: what is drawn
const places = []; // of the course

async function drawCourse() {
  if (typeof L === "undefined") {
    $("no-map").hidden = false;
    $("map").hidden = true;
    map = {};
    return;
  }
  const { body } = await ask("course");
  map = L.map("map", { attributionControl: Boolean(body.tiles), zoomSnap: body.tiles ? 1 : 0.25 });
  map.invalidateSize();
  $("map").classList.toggle("tiled", Boolean(body.tiles));
  if (body.tiles) {
    map.attributionControl.setPrefix(false);
    L.tileLayer("/room/tiles/{z}/{x}/{y}", {
      minNativeZoom: body.tiles.least_zoom, maxNativeZoom: body.tiles.greatest_zoom, maxZoom: 22,
      attribution: body.tiles.attribution.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`),
    }).addTo(map);
  }
  L.control.scale({ imperial: false }).addTo(map);
  circles = L.layerGroup().addTo(map);
  const ink = getComputedStyle(document.documentElement).getPropertyValue("--text");
  if (body.line) {
    const line = L.polyline(body.line, { color: ink, weight: 3 }).addTo(map);
    bounds = line.getBounds();
    for (const { name, at } of body.places) {
      const circle = L.circleMarker(at, { radius: 7, color: ink, weight: 2, fillOpacity: 0 });
      places.push({ name, at, circle: circle.addTo(map), side: "" });
    }
  }
  fit();
  // Leaflet itself moves the map, too: only what a person does to it counts.
  for (const name of ["pointerdown", "wheel", "keydown"]) {
    $("map").addEventListener(name, () => { isMoved = true; });
  }
  map.on("moveend", drawTeams);
  new ResizeObserver(() => {
    map.invalidateSize();
    if (!isMoved) fit();
  }).observe($("map"));
  drawTeams();
}

function fit() {
  if (bounds) map.fitBounds(bounds, { padding: [20, 20] });
  else map.setView([42, 2.8], 9);
}

// Whoever is chosen first, then who needs a human, then who is late: where labels would lie over one another these keep
// theirs, and the others are their mark alone until there is room.
function drawTeams() {
  if (!map || !map.addLayer || !state) return;
  const rank = (one) => one.tracker === chosen ? -1 : isNeedy(one) ? 0 : mark(one) === "?" ? 1 : 2;
  const shown = state.teams.filter((one) => one.latitude !== null)
    .sort((a, b) => rank(a) - rank(b));
  const taken = [];
  const edges = L.bounds([[0, 0], map.getSize()].map((at) => map.containerPointToLayerPoint(at)));
  circles.clearLayers();
  shown.forEach((one, place) => {
    const at = [one.latitude, one.longitude];
    const age = say("ago", span(now() - Date.parse(one.taken)));
    const name = `${mark(one)} ${nameOf(one.tracker)}, ${age}`.trim();
    const { x, y } = map.latLngToLayerPoint(at);
    const wide = Math.min(LETTER * name.length + 14, map.getSize().x);
    // At the map's edge it stands below its point, which is a dot then.
    const isShifted = edges.contains([x, y]) && x + wide > edges.max.x;
    const left = isShifted ? edges.max.x - wide : x;
    const top = isShifted ? y + BELOW : y - LINE / 2;
    const box = { left, right: left + wide, top, bottom: top + LINE };
    const hasRoom = isFree(box, taken);
    if (hasRoom) taken.push(box);
    const isWhole = hasRoom || one.tracker === chosen;
    const kind = isNeedy(one) ? "needy" : mark(one) === "?" ? "late" : "";
    const label = make("span", isWhole ? name : mark(one));
    label.title = name + offBy(one);
    label.style.maxWidth = `${map.getSize().x}px`;
    if (isWhole && isShifted) {
      label.style.left = `${left - x}px`;
      label.style.top = `${BELOW + LINE / 2}px`;
    }
    const icon = L.divIcon({
      className: `label ${kind} ${isWhole ? "" : "small"} ${isWhole && isShifted ? "shifted" : ""}`,
      html: label, iconSize: null, iconAnchor: [0, LINE / 2],
    });
    const order = { zIndexOffset: 1000 * (isWhole ? 3 - rank(one) : 0) - place };
    const known = marks.get(one.tracker);
    if (known) known.setLatLng(at).setIcon(icon).setZIndexOffset(order.zIndexOffset);
    else {
      marks.set(one.tracker, L.marker(at, { icon, keyboard: false, ...order })
        .on("click", () => choose(one.tracker)).addTo(map));
    }
    // Of all teams they would hide the map.
    if (one.accuracy_m && (isNeedy(one) || one.tracker === chosen)) {
      L.circle(at, { radius: one.accuracy_m, interactive: false, className: "accuracy" }).addTo(circles);
    }
  });
  for (const [tracker, marker] of marks) {
    if (shown.some((one) => one.tracker === tracker)) continue;
    marker.remove();
    marks.delete(tracker);
  }
  drawPlaceNames(taken, edges);
}

// On the side of each place where there is room; else only under the pointer.
function drawPlaceNames(taken, edges) {
  for (const place of places) {
    const { x, y } = map.latLngToLayerPoint(place.at);
    const wide = LETTER * place.name.length;
    const box = (left, top) => ({ left, right: left + wide, top, bottom: top + LINE });
    const sides = {
      right: box(x + 9, y - LINE / 2), left: box(x - 9 - wide, y - LINE / 2),
      top: box(x - wide / 2, y - 9 - LINE), bottom: box(x - wide / 2, y + 9),
    };
    const side = Object.keys(sides).find((name) => isFree(sides[name], taken)
      && sides[name].left >= edges.min.x && sides[name].right <= edges.max.x) || "";
    if (side) taken.push(sides[side]);
    if (side === place.side && place.circle.getTooltip()) continue;
    place.side = side;
    place.circle.unbindTooltip().bindTooltip(make("span", place.name),
      side ? { permanent: true, direction: side, className: "place" } : {});
  }
}

const isFree = (box, taken) => taken.every((other) => box.right < other.left
  || other.right < box.left || box.bottom < other.top || other.bottom < box.top);
