// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// "What can go?": the classes in their order, and a slider that fills them from the top.

import { classKey, el, emptyState, fill, pathButton, say, update } from "./dom.js";
import { age, bytes, counted, parseBytes, visible } from "./format.js";

const steps = 1000;

export class Ladder {
  /** @param {{onPlan: Function, onExplain: Function}} actions */
  constructor(holder, actions) {
    this.holder = holder;
    this.actions = actions;
    this.amount = null;
    /** What a person asked for, which stays: an "amount", or "all" there is. */
    this.asked = null;
    this.withLastResort = false;
    this.opened = new Set();
    this.build();
  }

  build() {
    this.rungs = el("ol", { class: "rungs" });
    this.slider = el("input", {
      type: "range", id: "free-slider", min: "0", max: String(steps), step: "1",
      "aria-label": "How much to free", oninput: () => this.slid(),
    });
    this.field = el("input", {
      type: "text", id: "free-amount", class: "amount", autocomplete: "off", spellcheck: false,
      onchange: () => this.typed(), oninput: () => this.field.setCustomValidity(""),
    });
    this.lastResort = el("input", {
      type: "checkbox", id: "free-through", onchange: () => this.toggledLastResort(),
    });
    this.volume = el("select", { id: "free-volume" });
    this.volumeLabel = el("label", {}, "on ", this.volume);
    this.sum = el("p", { class: "sum", "aria-live": "polite" });
    this.expired = el("button", {
      type: "button", class: "quiet", title: "Everything that is older than its area keeps it",
      onclick: () => this.actions.onPlan({ target: { kind: "expired" } }),
    }, "What has expired");
    this.untilNormal = el("button", {
      type: "button", class: "quiet", onclick: () => this.plannedUntilNormal(),
    }, "Until normal");
    this.quick = el("div", { class: "quick" }, this.expired, this.untilNormal);
    this.planButton = el("button", { type: "submit", class: "primary" }, "Show plan");
    this.form = el("form", { class: "free", onsubmit: (event) => this.submitted(event) },
      el("div", { class: "row" },
        el("label", { for: "free-amount" }, "Free"), this.field, this.slider, this.volumeLabel),
      this.sum,
      el("div", { class: "row" },
        this.planButton, this.quick,
        el("label", { class: "check" }, this.lastResort, " also last resort")));
    this.empty = emptyState();
    fill(this.holder, this.rungs, this.empty, this.form);
  }

  // MARK: - What is known

  show(status) {
    this.status = status;
    const { ladder } = status;
    const { state } = status.inventory;
    const isKnown = state === "ready" || state === "summary" || ladder.length > 0;
    fill(this.empty, ladder.length > 0 ? "" : !isKnown
      ? (state === "scanning" ? "Being scanned…" : "Nothing was scanned yet. Scan now is at the top.")
      : "Nothing may go. Declare directories in the configuration, or mark files as purgeable: "
        + "headroom mark PATH --purgeable");
    this.empty.hidden = ladder.length > 0;
    this.form.hidden = ladder.length === 0;
    this.drawVolumes(status.volumes);
    if (ladder.length === 0) return void update(this.rungs, this.stayingRungs());
    this.most = this.reach();
    // Where there is room, the largest is open from the start.
    if (this.amount === null && this.holder.clientHeight > 420 && innerWidth >= 1000) {
      this.opened.add(ladder.toSorted((left, right) => right.bytes - left.bytes)[0].class);
    }
    this.fit();
    this.drawQuick();
    this.drawRungs();
    this.drawSum();
  }

  /** The bytes a request may spend, of each class. */
  spendable(rung) {
    switch (rung.class) {
      case "lastResort": return this.withLastResort ? rung.bytes : 0;
      // By hand only what has expired goes, unless last resort may.
      case "trash": return this.withLastResort ? rung.bytes : rung.dueBytes;
      default: return rung.bytes;
    }
  }

  reach() {
    return this.status.ladder.reduce((sum, rung) => sum + this.spendable(rung), 0);
  }

  /** What is due anyway, or what is lacking, or a fifth. */
  suggestion() {
    const lacking = this.status.volumes
      .filter((volume) => volume.level === "warning" || volume.level === "critical")
      .map((volume) => Math.ceil(1.25 * volume.warningBytes) - volume.available.bytes);
    const due = this.status.ladder.reduce((sum, rung) => sum + rung.dueBytes, 0);
    const wanted = Math.max(0, ...lacking) || due || this.most / 5;
    return Math.min(this.most, tidy(wanted));
  }

  drawVolumes(volumes) {
    const usable = volumes.filter((volume) => !volume.readOnly && !volume.error);
    this.volumeLabel.hidden = usable.length < 2;
    const before = this.volume.value;
    const options = [["", "any volume"], ...usable.map((volume, index) => [String(index + 1), visible(volume.mountPoint)])];
    this.usableVolumes = usable;
    if (JSON.stringify(options) === this.volumeOptions) return;
    this.volumeOptions = JSON.stringify(options);
    fill(this.volume, options.map(([value, text]) => el("option", { value }, text)));
    if ([...this.volume.options].some((option) => option.value === before)) this.volume.value = before;
  }

  volumeReference() {
    const volume = this.usableVolumes[Number(this.volume.value) - 1];
    if (!volume) return {};
    return volume.mountPointBytes ? { volumeBytes: volume.mountPointBytes } : { volume: volume.mountPoint };
  }

  // MARK: - Drawing

  drawRungs() {
    const { ladder } = this.status;
    const largest = Math.max(1, ...ladder.map((rung) => rung.bytes));
    let left = this.amount;
    const focus = this.rungs.contains(document.activeElement)
      ? document.activeElement.closest("li:has(details)")?.querySelector("summary").dataset.key : undefined;
    const rungs = ladder.map((rung) => {
      const taken = Math.min(left, this.spendable(rung));
      left -= taken;
      const oldest = rung.oldestUse
        ? `up to ${age((Date.parse(this.status.time) - Date.parse(rung.oldestUse)) / 1000)}` : "";
      return {
        // The time itself is another in each answer.
        state: [{ ...rung, oldestUse: oldest }, taken, largest], draw: () => this.rung(rung, oldest, taken, largest),
      };
    });
    update(this.rungs, [...rungs, ...this.stayingRungs()]);
    // What had the focus is not there any more: what it was part of, or what stands at the top now.
    if (focus !== undefined && !this.rungs.contains(document.activeElement)) {
      (this.rungs.querySelector(`[data-key="${focus}"]`) ?? this.rungs.querySelector("summary"))?.focus();
    }
  }

  rung(rung, oldest, taken, largest) {
    const details = el("details", {
      open: this.opened.has(rung.class),
      ontoggle: () => (details.open ? this.opened.add(rung.class) : this.opened.delete(rung.class)),
    },
    el("summary", { "data-key": rung.class },
      classKey(rung.class),
      el("span", { class: "number" }, bytes(rung.bytes)),
      el("span", { class: "number items" }, counted(rung.items, "item")),
      el("span", { class: "number oldest" }, oldest),
      bar(rung, taken, largest)),
    this.places(rung));
    return el("li", { class: rung.class }, details);
  }

  /** What is due, and where it is. */
  places(rung) {
    const rows = rung.areas.length > 0 ? rung.areas : rung.largest;
    return el("div", { class: "places" },
      rung.dueBytes > 0
        ? el("p", {}, `expired or over limit: ${bytes(rung.dueBytes)} in ${counted(rung.dueItems, "item")}`) : null,
      el("ul", {}, rows.slice(0, 50).map((place) => el("li", {},
        el("span", { class: "number" }, bytes(place.bytes)),
        placeButton(place, () => this.actions.onExplain(place)),
        place.name ? el("span", { class: "faint" }, visible(place.name)) : null))));
  }

  stayingRungs() {
    const rows = [];
    const { essentialBytes, pinnedBytes, deleted, deletedBytes } = this.status;
    if (pinnedBytes > 0) rows.push(["pinned", pinnedBytes, "stays until it is unpinned"]);
    if (deletedBytes > 0) {
      const holders = [...new Set(deleted.flatMap((file) => file.processes.map(({ name, id }) => `${name} ${id}`)))];
      const more = holders.length > 2 ? ` and ${holders.length - 2} more` : "";
      rows.push(["deleted", deletedBytes, holders.length === 0 ? "still open, and so not free"
        : `still open in ${holders.slice(0, 2).map(visible).join(", ")}${more}`]);
    }
    if (essentialBytes !== undefined) rows.push(["essential", essentialBytes, "never goes"]);
    return rows.map(([name, count, words]) => ({
      state: [name, count, words],
      draw: () => el("li", { class: `stays ${name}` },
        el("div", { class: "summary" },
          name === "essential" ? classKey(name) : el("span", { class: "key" }, name),
          el("span", { class: "number" }, bytes(count)),
          el("span", { class: "faint words" }, words))),
    }));
  }

  drawQuick() {
    const due = this.status.ladder.reduce((sum, rung) => sum + rung.dueBytes, 0);
    const { activeElement } = document;
    this.pressed = this.status.volumes.find((volume) => volume.level === "warning" || volume.level === "critical");
    this.expired.hidden = due <= 0;
    this.untilNormal.hidden = !this.pressed;
    if (this.pressed) this.untilNormal.title = `Until the level of ${visible(this.pressed.mountPoint)} is normal`;
    // What had the focus has gone; beside it one goes on.
    if (activeElement?.hidden && this.quick.contains(activeElement)) this.planButton.focus();
  }

  plannedUntilNormal() {
    const { mountPoint, mountPointBytes } = this.pressed;
    this.actions.onPlan({
      target: { kind: "normal" }, ...(mountPointBytes ? { volumeBytes: mountPointBytes } : { volume: mountPoint }),
    });
  }

  drawSum() {
    let left = this.amount;
    const parts = [];
    for (const rung of this.status.ladder) {
      const taken = Math.min(left, this.spendable(rung));
      left -= taken;
      if (taken > 0) parts.push(`${rung.class === "lastResort" ? "last resort" : rung.class} ${bytes(taken)}`);
    }
    say(this.sum, this.most === 0 ? "Nothing of this goes by hand without last resort."
      : parts.length === 0 ? "Move the slider, or write how much: 5 GB"
        : `about ${parts.join(", then ")}`);
    this.planButton.disabled = this.amount <= 0;
  }

  // MARK: - Choosing

  /** A suggestion fits what there is; what a person asked for stays. */
  fit() {
    if (this.asked === "all") this.setAmount(this.most);
    else if (this.asked === null && (this.amount === null || this.amount > this.most)) this.setAmount(this.suggestion());
    // Not moved under the hand.
    else if (document.activeElement !== this.slider) this.placeSlider();
  }

  setAmount(amount) {
    this.amount = amount;
    this.placeSlider();
    if (document.activeElement !== this.field) this.field.value = bytes(amount);
  }

  placeSlider() {
    this.slider.value = String(Math.min(steps, Math.round((this.amount / Math.max(1, this.most)) * steps)));
    this.slider.setAttribute("aria-valuetext", bytes(this.amount));
  }

  slid() {
    const wanted = (Number(this.slider.value) / steps) * this.most;
    this.asked = Number(this.slider.value) === steps ? "all" : "amount";
    this.amount = this.asked === "all" ? this.most : tidy(wanted);
    this.slider.setAttribute("aria-valuetext", bytes(this.amount));
    this.field.value = bytes(this.amount);
    this.field.setCustomValidity("");
    this.drawRungs();
    this.drawSum();
  }

  typed() {
    const amount = parseBytes(this.field.value);
    if (amount === null) {
      this.field.setCustomValidity("Write an amount with its unit, such as 5 GB or 800 MB.");
      this.field.reportValidity();
      return false;
    }
    this.field.setCustomValidity("");
    // More than there is may be asked for: the plan says what is missing.
    this.asked = "amount";
    this.amount = amount;
    this.placeSlider();
    this.drawRungs();
    this.drawSum();
    return true;
  }

  toggledLastResort() {
    this.withLastResort = this.lastResort.checked;
    this.most = this.reach();
    this.fit();
    this.drawRungs();
    this.drawSum();
  }

  submitted(event) {
    event.preventDefault();
    // What stands there was written by the slider: then its exact amount counts.
    if (this.field.value !== bytes(this.amount) && !this.typed()) return;
    if (!(this.amount > 0)) return;
    this.actions.onPlan({
      target: { kind: "free", bytes: this.amount },
      through: this.withLastResort ? "lastResort" : "cache",
      ...this.volumeReference(),
    });
  }
}

function placeButton(place, onclick) {
  const button = pathButton(place.path, 44, onclick);
  button.dataset.key = place.pathBytes ?? place.path;
  return button;
}

/** Two digits, so that the slider stops at what people would say. */
function tidy(count) {
  if (count < 1) return 0;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.round(count / power) * power;
}

/** How much there is, how much of it is due, and how much of it would go. */
function bar(rung, taken, largest) {
  const meter = el("span", { class: "bar-line", "aria-hidden": "true" });
  const whole = el("span", { class: "whole" });
  whole.style.width = `${Math.max(1, (rung.bytes / largest) * 100)}%`;
  const filled = el("span", { class: `filled ${rung.class}` });
  filled.style.width = `${rung.bytes > 0 ? (taken / rung.bytes) * 100 : 0}%`;
  const due = el("span", { class: "due" });
  due.style.width = `${rung.bytes > 0 ? (rung.dueBytes / rung.bytes) * 100 : 0}%`;
  whole.append(filled, due);
  meter.append(whole);
  return meter;
}
