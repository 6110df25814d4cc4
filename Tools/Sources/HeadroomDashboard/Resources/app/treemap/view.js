// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// "Where is it?": the treemap, its way in and out, by mouse and by keyboard.

import { el, fill, nameText } from "../dom.js";
import { baseName, bytes, visible } from "../format.js";
import { Basket } from "./basket.js";
import { describe, sentence } from "./describe.js";
import { loadLevel } from "./loader.js";
import { neighbour } from "./neighbours.js";
import { Palette } from "./palette.js";
import { pathField } from "./path-field.js";
import { Picture } from "./picture.js";
import { LevelTable } from "./table.js";
import { zoom } from "./zoom.js";

/** What is left out is worth a request while it has so many square CSS pixels a node. */
const smallestSeen = 1.5;

export class Treemap {
  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} bar for the way to what is shown, and what can be chosen
   * @param {{onExplain: Function, onDispose: Function, onScan: Function}} actions
   */
  constructor(root, bar, actions) {
    this.actions = actions;
    this.place = { view: "areas" };
    this.level = null;
    this.picture = null;
    this.focused = 0;
    this.hovered = null;
    this.isTable = false;
    this.basket = new Basket(actions.onDispose, () => this.basketChanged());
    this.build(root, bar);
    this.listen();
  }

  // MARK: - Elements

  build(root, bar) {
    this.parts = [root, bar];
    this.crumbs = el("ol", {});
    this.whole = el("span", { class: "whole" });
    this.viewChoice = el("select", { id: "tree-view", onchange: () => this.changeView() },
      el("option", { value: "areas" }, "what may go"),
      el("option", { value: "home" }, "everything in the home"));
    this.tableButton = el("button", {
      type: "button", class: "quiet", "aria-pressed": "false", onclick: () => this.toggleTable(),
    }, "Table");
    this.canvas = el("canvas", { class: "ground", "aria-hidden": "true" });
    this.overlay = el("canvas", {
      class: "overlay", tabIndex: 0, role: "application",
      "aria-roledescription": "treemap", "aria-label": "Treemap", "aria-describedby": "tree-help",
    });
    this.tip = el("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    this.message = el("div", { class: "message", tabIndex: -1, hidden: true });
    this.stage = el("div", { class: "stage" }, this.canvas, this.overlay, this.message);
    this.table = new LevelTable({
      onOpen: (node) => this.open({ path: node.path, pathBytes: node.pathBytes }),
      onExplain: (node) => this.explain(node),
      onChoose: (node, isChosen) => this.choose(node, isChosen),
      isChosen: (node) => this.basket.has(node),
    });
    this.tableHolder = el("div", { class: "table-holder", hidden: true }, this.table.element);
    this.spoken = el("p", { class: "unseen", "aria-live": "polite" });
    fill(bar,
      el("nav", { class: "crumbs", "aria-label": "Way to what is shown" }, this.crumbs),
      this.whole,
      el("label", { class: "unseen", for: "tree-view" }, "Show"), this.viewChoice, this.tableButton,
      pathField(this.actions.onExplain));
    fill(root,
      this.stage, this.tableHolder, this.tip, this.spoken,
      el("p", { id: "tree-help", class: "unseen" },
        "Arrow keys move, Enter goes in or explains a file, Backspace goes out, E explains, "
        + "Space chooses for the trash. The button Table shows the same as a table."),
      this.basket.element);
    this.context = this.canvas.getContext("2d");
    this.overlayContext = this.overlay.getContext("2d");
  }

  listen() {
    const { overlay } = this;
    overlay.addEventListener("pointermove", (event) => this.hover(event));
    overlay.addEventListener("pointerleave", () => this.hover(null));
    overlay.addEventListener("click", (event) => this.click(event));
    overlay.addEventListener("contextmenu", (event) => {
      const id = this.idUnder(event);
      if (id === null) return;
      event.preventDefault();
      this.explain(this.level.node(id));
    });
    overlay.addEventListener("keydown", (event) => this.key(event));
    overlay.addEventListener("focus", () => this.drawOverlay());
    overlay.addEventListener("blur", () => this.drawOverlay());
    new ResizeObserver(() => this.scheduleRedraw()).observe(this.stage);
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
      matchMedia(query).addEventListener("change", () => this.scheduleRedraw(true));
    }
  }

  // MARK: - Loading

  /** Shows a directory. */
  async open(place, { from } = {}) {
    this.loading?.abort();
    const { signal } = (this.loading = new AbortController());
    this.place = { ...place, view: place.view ?? this.place.view };
    const slow = setTimeout(() => this.stage.classList.add("loading"), 150);
    // Where nothing was scanned yet, the daemon does so first.
    const scanning = setTimeout(() => {
      if (this.level?.view !== this.place.view) this.say("Being looked through: names and sizes only…");
    }, 1000);
    const isKept = from === "refresh";
    let isFirst = true;
    try {
      await loadLevel(this.place, (level) => {
        const before = { level: this.level, picture: this.picture };
        this.level = level;
        if (isFirst && !isKept) this.focused = this.focusAfter(before.level, level);
        const isStillOnTheWay = !isFirst && this.isZooming;
        if (isStillOnTheWay) this.afterZoom = () => this.show(null);
        else this.show(isFirst && !isKept ? before : null);
        isFirst = false;
      }, (rest, bytes) => this.isWorthMore(rest, bytes), signal);
    } catch (error) {
      if (signal.aborted) return;
      this.explainFailure(error);
    } finally {
      clearTimeout(slow);
      clearTimeout(scanning);
      if (!signal.aborted) this.stage.classList.remove("loading");
    }
  }

  refresh() { return this.open(this.place, { from: "refresh" }); }

  /** @param {number} bytes of the whole directory */
  isWorthMore(rest, bytes) {
    const area = this.stage.clientWidth * this.stage.clientHeight;
    return (area * rest.bytes) / Math.max(1, bytes) / Math.max(1, rest.count) >= smallestSeen;
  }

  /** Coming out of a directory, that one is where one is. */
  focusAfter(before, level) {
    if (before?.path === undefined) return 0;
    for (let id = 0; id < level.outer.count; id += 1) {
      if (level.location(id).path === before.path) return id;
    }
    return 0;
  }

  explainFailure(error) {
    this.level = null;
    this.picture = null;
    if (this.place.path !== undefined && error.status === 404) {
      // It went meanwhile.
      this.open({ view: this.place.view });
      return;
    }
    const scan = el("button", {
      type: "button", class: "primary", onclick: () => this.actions.onScan(this.place.view),
    }, this.place.view === "home" ? "Look through the home directory" : "Scan now");
    const again = el("button", { type: "button", onclick: () => this.refresh() }, "Try again");
    this.keepFocus(() => {
      this.drawCrumbs();
      this.say(error.message, error.advice, error.isConflict ? scan : again);
    });
  }

  /** Over the picture, or in place of the table. */
  say(...children) {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.overlayContext.clearRect(0, 0, this.overlay.width, this.overlay.height);
    this.keepFocus(() => {
      fill(this.message, children.map((child) => (typeof child === "string" ? el("p", {}, child) : child)));
      this.message.hidden = false;
      this.table.hide();
    });
  }

  // MARK: - Focus

  /** What had the focus may go with what is drawn: then it is on what is shown now. */
  keepFocus(draw) {
    const had = this.parts.some((part) => part.contains(document.activeElement));
    draw();
    const { activeElement } = document;
    if (had && (activeElement === document.body || activeElement.closest("[hidden]"))) this.focusShown();
  }

  focusShown() {
    if (!this.message.hidden) (this.message.querySelector("button") ?? this.message).focus();
    else if (this.isTable) this.table.focus(this.focused);
    else this.overlay.focus();
  }

  // MARK: - Showing

  show(before) {
    this.keepFocus(() => {
      this.drawCrumbs();
      if (this.level.outer.count === 0) {
        this.picture = null;
        this.say(this.place.path === undefined
          ? "There is nothing here that may go. Declare directories in the configuration, or mark "
            + "files as purgeable: headroom mark PATH --purgeable"
          : "This directory is empty.");
        return;
      }
      this.message.hidden = true;
      this.redraw(before);
      if (this.isTable) this.table.show(this.level);
    });
  }

  scheduleRedraw(isNewPalette = false) {
    this.isNewPalette ||= isNewPalette;
    this.redrawRequest ??= requestAnimationFrame(() => {
      this.redrawRequest = null;
      this.redraw();
    });
  }

  redraw(before) {
    if (!this.level || this.level.outer.count === 0) return;
    const width = this.stage.clientWidth;
    const height = this.stage.clientHeight;
    this.zooming?.abort();
    this.isZooming = false;
    this.afterZoom = null;
    // Behind the table there is none: it is made when it is shown again.
    if (width === 0 || height === 0) return void (this.picture = null);
    const scale = Math.min(2, window.devicePixelRatio || 1);
    if (!this.palette || this.isNewPalette) this.palette = new Palette(this.stage);
    this.isNewPalette = false;
    this.stage.dataset.nodes = String(this.level.count);
    this.picture = new Picture(this.level, width, height, scale, this.palette);
    for (const canvas of [this.canvas, this.overlay]) {
      if (canvas.width !== this.picture.width) canvas.width = this.picture.width;
      if (canvas.height !== this.picture.height) canvas.height = this.picture.height;
    }
    this.hovered = null;
    this.tip.hidden = true;
    this.focused = Math.min(this.focused, this.level.outer.count - 1);
    if (!this.animate(before)) this.context.drawImage(this.picture.canvas, 0, 0);
    this.drawOverlay();
  }

  /** @returns whether the way is drawn */
  animate(before) {
    const { picture } = this;
    if (!before?.picture || matchMedia("(prefers-reduced-motion: reduce)").matches) return false;
    const old = before.picture;
    if (old.width !== picture.width || old.height !== picture.height) return false;
    const inward = placeIn(before.level, this.level);
    const outward = placeIn(this.level, before.level);
    const [around, within, id] = inward !== null ? [old, picture, inward] : [picture, old, outward];
    if (id === null || !around.shows(id)) return false;
    const rectangle = Array.from(around.rectangles.subarray(4 * id, 4 * id + 4));
    const { signal } = (this.zooming = new AbortController());
    this.overlayContext.clearRect(0, 0, this.overlay.width, this.overlay.height);
    this.isZooming = true;
    zoom(this.context, around.canvas, within.canvas, rectangle, inward !== null, signal).then((isDone) => {
      if (!isDone) return;
      this.isZooming = false;
      this.context.drawImage(picture.canvas, 0, 0);
      this.drawOverlay();
      // More of it came on the way.
      const { afterZoom } = this;
      this.afterZoom = null;
      afterZoom?.();
    });
    return true;
  }

  drawCrumbs() {
    const { level } = this;
    const places = [{ path: undefined, name: this.place.view === "home" ? "Home" : "All" }];
    if (level?.path !== undefined) {
      for (const parent of level.parents) {
        // The name of what is no text has lost its bytes; the path has not.
        const name = parent.pathBytes ? baseName(parent.path) : parent.name;
        places.push({ path: parent.path, pathBytes: parent.pathBytes, name });
      }
      places.push({ path: level.path, pathBytes: level.pathBytes, name: baseName(level.path) });
    }
    const way = JSON.stringify(places);
    if (way !== this.way) {
      this.way = way;
      fill(this.crumbs, places.map((place, index) => {
        const isLast = index === places.length - 1;
        const name = nameText(place.name, 24);
        return el("li", {}, isLast
          ? el("span", { "aria-current": "location" }, name)
          // mutation: r38c-3
          : el("button", { type: "button", class: "quiet", onclick: () => this.open(place) }, name));
      }));
    }
    if (level) {
      this.whole.textContent = bytes(level.bytes);
      // Of a long way the end says most.
      this.crumbs.scrollLeft = this.crumbs.scrollWidth;
      this.overlay.setAttribute("aria-label",
        `Treemap of ${level.path === undefined ? "all" : visible(level.path)}, ${bytes(level.bytes)}`);
    }
  }

  drawOverlay() {
    const { overlayContext: context, picture } = this;
    context.clearRect(0, 0, this.overlay.width, this.overlay.height);
    if (!picture) return;
    const { scale } = picture;
    const outline = (id, color, thickness) => {
      const [left, top, right, bottom] = picture.rectangles.subarray(4 * id, 4 * id + 4);
      context.lineWidth = thickness * scale;
      context.strokeStyle = color;
      const inset = (thickness * scale) / 2;
      context.strokeRect(left + inset, top + inset,
        Math.max(1, right - left - 2 * inset), Math.max(1, bottom - top - 2 * inset));
    };
    const [ink, ground] = [`rgb(${this.palette.ink.join(" ")})`, `rgb(${this.palette.background.join(" ")})`];
    if (this.basket.count > 0) {
      for (let id = 0; id < this.level.outer.count; id += 1) {
        if (picture.shows(id) && this.basket.has(this.level.location(id))) outline(id, ink, 4);
      }
    }
    if (this.hovered !== null) outline(this.hovered, ink, 2);
    if (document.activeElement === this.overlay && this.focused < this.level.outer.count) {
      outline(this.focused, ground, 6);
      outline(this.focused, ink, 3);
    }
  }

  // MARK: - Mouse

  idUnder(event) {
    if (!this.picture || this.isZooming) return null;
    const box = this.overlay.getBoundingClientRect();
    return this.picture.idAt(event.clientX - box.left, event.clientY - box.top);
  }

  hover(event) {
    const id = event && event.pointerType !== "touch" ? this.idUnder(event) : null;
    if (id !== this.hovered) {
      this.hovered = id;
      this.drawOverlay();
      if (id !== null) fill(this.tip, describe(this.level.node(id), this.level));
      this.tip.hidden = id === null;
    }
    if (id === null) return;
    const { width, height } = this.tip.getBoundingClientRect();
    const x = Math.max(8, Math.min(event.clientX + 14, innerWidth - width - 8));
    const y = event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18;
    this.tip.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  click(event) {
    const id = this.idUnder(event);
    if (id === null) return;
    this.focused = this.level.outerOf(id);
    const node = this.level.node(id);
    if (event.ctrlKey || event.metaKey) this.choose(node);
    else this.enter(node);
  }

  // MARK: - Keyboard

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.picture) return;
    const handled = this.keyAction(event.key);
    if (handled) event.preventDefault();
  }

  keyAction(key) {
    const node = () => this.level.node(this.focused);
    switch (key) {
      case "ArrowLeft": case "ArrowRight": case "ArrowUp": case "ArrowDown": {
        const next = neighbour(this.picture, this.focused, key);
        if (next !== null) this.focus(next);
        return true;
      }
      case "Home": this.focus(0); return true;
      case "End": this.focus(this.level.outer.count - 1); return true;
      case "Enter": this.enter(node()); return true;
      case "Backspace": this.leave(); return true;
      case "e": case "E": this.explain(node()); return true;
      case " ": this.choose(node()); return true;
      default: return false;
    }
  }

  focus(id) {
    this.focused = id;
    this.drawOverlay();
    this.spoken.textContent = sentence(this.level.node(id), this.level);
  }

  // MARK: - Ways

  enter(node) {
    if (node.isRest) {
      this.spoken.textContent = "These are too small to be drawn. The table lists them.";
      if (!this.isTable) this.toggleTable();
    } else if (node.kind === "directory") {
      this.open({ path: node.path, pathBytes: node.pathBytes }).then(() => {
        if (this.level) this.spoken.textContent = `In ${visible(node.path)}: ${bytes(node.bytes)}`;
      });
    } else this.explain(node);
  }

  leave() {
    if (!this.level || this.level.path === undefined) return;
    const parent = this.level.parents.at(-1);
    this.open(parent ? { path: parent.path, pathBytes: parent.pathBytes } : {});
  }

  explain(node) {
    if (!node.isRest) this.actions.onExplain(node);
  }

  choose(node, isChosen = !this.basket.has(node)) {
    if (!node.isRest) this.basket.set(node, isChosen);
  }

  basketChanged() {
    this.keepFocus(() => {
      this.drawOverlay();
      this.table.drawChosen();
    });
    this.spoken.textContent = this.basket.sentence;
  }

  changeView() {
    this.open({ view: this.viewChoice.value });
  }

  // MARK: - Table

  toggleTable() {
    this.isTable = !this.isTable;
    this.tableButton.setAttribute("aria-pressed", String(this.isTable));
    this.keepFocus(() => {
      this.stage.hidden = this.isTable;
      this.tableHolder.hidden = !this.isTable;
      // What is said is said to who reads the table, too.
      (this.isTable ? this.tableHolder : this.stage).append(this.message);
      if (this.isTable && this.level && this.message.hidden) this.table.show(this.level);
      else this.table.hide();
    });
    if (!this.isTable) this.scheduleRedraw();
  }
}

/** The id of a level's directory within another level; null if it is not there. */
function placeIn(level, other) {
  if (other?.path === undefined || !level) return null;
  for (let id = 0; id < level.outer.count; id += 1) {
    if (level.location(id).path === other.path) return id;
  }
  if (!other.path.startsWith(level.path ?? "")) return null;
  for (let id = level.outer.count; id < level.count; id += 1) {
    if (level.node(id).path === other.path) return id;
  }
  return null;
}
