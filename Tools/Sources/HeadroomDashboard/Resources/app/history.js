// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// "What will happen?": what was used in 30 days, where it leads, the thresholds, and the purges as ticks.

import { el, emptyState, fill, svg, update } from "./dom.js";
import { bytes, counted, dayOf, moment, timeOf } from "./format.js";

const margin = { left: 58, right: 58, top: 10, bottom: 34 };
const day = 86_400_000;
const hour = 3_600_000;

/** Between two labels of the axis of time. */
const timeSteps = [hour / 4, hour, 3 * hour, 6 * hour, day, 2 * day, 7 * day, 14 * day, 30 * day, 60 * day, 120 * day];

export class HistoryChart {
  /** @param {(receipt: string) => void} onReceipt */
  constructor(holder, onReceipt) {
    this.holder = holder;
    this.onReceipt = onReceipt;
    this.history = null;
    this.isTable = false;
    this.focusedTick = 0;
    this.rows = el("tbody");
    this.table = el("div", { class: "scroller", tabIndex: 0, role: "region", "aria-label": "History as a table" },
      el("table", { class: "figures" },
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "When"),
          el("th", { scope: "col", class: "number" }, "Used"),
          el("th", { scope: "col", class: "number" }, "Available"), el("th", { scope: "col" }, "What"))),
        this.rows));
    this.tip = el("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    document.body.append(this.tip);
    new ResizeObserver(() => { if (!this.isTable) this.draw(); }).observe(holder);
  }

  show(history) {
    this.history = history;
    this.draw();
  }

  say(...children) {
    this.history = null;
    fill(this.holder, emptyState(...children));
  }

  setTable(isTable) {
    this.isTable = isTable;
    this.draw();
  }

  draw() {
    const { history, holder } = this;
    if (!history) return;
    this.tip.hidden = true;
    if (history.samples.length === 0) {
      fill(holder, emptyState(
        "There is no history of this volume yet. It grows while the daemon runs: a forecast can be "
        + "made after ten minutes, a good one after a few weeks."));
      return;
    }
    if (this.isTable) return void this.drawTable();
    const hadFocus = holder.contains(document.activeElement);
    const width = holder.clientWidth;
    const height = holder.clientHeight;
    if (width < 100 || height < 60) return;
    fill(holder, this.chart(width, height));
    if (hadFocus) holder.querySelector(".tick[tabindex='0']")?.focus();
  }

  // MARK: - Chart

  chart(width, height) {
    const { history } = this;
    const samples = history.samples.map((sample) => ({
      time: Date.parse(sample.time), used: sample.totalBytes - sample.availableBytes, total: sample.totalBytes,
    }));
    const total = samples.at(-1).total;
    const now = Date.parse(history.to);
    // A history that has just begun fills the width, too; less than an hour says nothing.
    const start = Math.min(Math.max(Date.parse(history.from), samples[0].time), now - hour);
    const fan = history.fan.map((point) => ({
      time: Date.parse(point.time), low: total - point.highBytes, likely: total - point.likelyBytes,
      high: total - point.lowBytes,
    }));
    // As far ahead as back: what lies further is told in words.
    const end = fan.length > 0 ? Math.min(fan.at(-1).time, now + (now - start)) : now + (now - start) / 10;
    const floor = lowest(samples, fan, total);
    const x = (time) => margin.left + ((time - start) / Math.max(1, end - start)) * (width - margin.left - margin.right);
    const bottom = height - margin.bottom;
    const y = (used) => bottom - ((used - floor) / Math.max(1, total - floor)) * (bottom - margin.top);
    const scales = { x, y, start, end, now, floor, total, width, height, bottom };
    const picture = svg("svg", {
      class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, role: "group",
      "aria-label": this.summary(samples, now),
    });
    picture.append(
      ...axes(scales), ...this.thresholds(scales), ...course(samples, fan, scales),
      ...this.crosshair(samples, fan, scales, picture), ...this.ticks(scales));
    return picture;
  }

  summary(samples, now) {
    const first = samples[0];
    const last = samples.at(-1);
    const days = Math.max(1, Math.round((now - first.time) / day));
    return `Used space in ${counted(days, "day")}: from ${bytes(first.used)} to ${bytes(last.used)} of `
      + `${bytes(last.total)}. The button Table shows the figures.`;
  }

  thresholds({ y, width, total, floor }) {
    const { warningBytes, criticalBytes } = this.history.thresholds;
    const lines = [["critical", total - criticalBytes], ["warning", total - warningBytes]];
    let label = -Infinity;
    return [["full", total], ...lines].filter(([, used]) => used > floor).flatMap(([name, used]) => {
      const place = y(used);
      // Labels of lines that lie close go below each other.
      label = Math.max(place, label + 12);
      return [
        svg("line", { class: `threshold ${name}`, x1: margin.left, x2: width - margin.right, y1: place, y2: place }),
        svg("text", { class: `threshold ${name}`, x: width - margin.right + 5, y: label }, name),
      ];
    });
  }

  ticks({ x, bottom, start, end }) {
    const purges = this.history.purges.filter((purge) => {
      const time = Date.parse(purge.time);
      return time >= start && time <= end;
    });
    // Others come and go at the ends.
    const focused = purges.findIndex((purge) => purge.receipt === this.focusedReceipt);
    if (focused >= 0) this.focusedTick = focused;
    this.focusedTick = Math.min(this.focusedTick, Math.max(0, purges.length - 1));
    const ticks = purges.map((purge, index) => {
      const time = new Date(purge.time);
      const title = `${moment(time)}: the volume gained ${bytes(purge.gainedBytes)}, ${counted(purge.items, "item")} went`;
      const place = x(time.getTime());
      const open = () => this.onReceipt(purge.receipt);
      return svg("g", {
        class: "tick", role: "button", tabindex: index === this.focusedTick ? 0 : -1,
        "aria-label": `Purge ${title}. Opens the receipt.`,
        onclick: open,
        onkeydown: (event) => this.tickKey(event, ticks, index, open),
        onpointerenter: (event) => this.showTip(event, title, "Click: the receipt."),
        onpointerleave: () => { this.tip.hidden = true; },
        onfocus: () => {
          this.focusedTick = index;
          this.focusedReceipt = purge.receipt;
        },
      },
      svg("rect", { class: "reach", x: place - 6, y: bottom - 4, width: 12, height: 20 }),
      svg("path", { d: `M ${place} ${bottom + 2} l 4.5 8 h -9 z` }));
    });
    return ticks;
  }

  tickKey(event, ticks, index, open) {
    const next = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: ticks.length - 1 }[event.key];
    if (next !== undefined && ticks[next]) {
      ticks[index].setAttribute("tabindex", -1);
      ticks[next].setAttribute("tabindex", 0);
      ticks[next].focus();
    } else if (event.key === "Enter" || event.key === " ") open();
    else return;
    event.preventDefault();
  }

  // MARK: - Pointer

  crosshair(samples, fan, { x, y, bottom, start, end, now, width, total }, picture) {
    const line = svg("line", { class: "crosshair", y1: margin.top, y2: bottom, visibility: "hidden" });
    const reach = svg("rect", {
      class: "reach", x: margin.left, y: margin.top, width: width - margin.left - margin.right,
      height: bottom - margin.top,
      onpointermove: (event) => {
        const at = event.clientX - picture.getBoundingClientRect().left;
        const time = start + ((at - margin.left) / Math.max(1, width - margin.left - margin.right)) * (end - start);
        line.setAttribute("x1", at);
        line.setAttribute("x2", at);
        line.setAttribute("visibility", "visible");
        if (time <= now) {
          const sample = nearest(samples, time);
          this.showTip(event, moment(new Date(sample.time)), `${bytes(sample.used)} of ${bytes(sample.total)} used`);
        } else if (fan.length > 0) {
          const point = nearest(fan, time);
          this.showTip(event, dayOf(new Date(point.time)),
            `about ${bytes(Math.min(total, point.likely))} used (${bytes(point.low)} – ${bytes(point.high)})`);
        }
      },
      onpointerleave: () => {
        line.setAttribute("visibility", "hidden");
        this.tip.hidden = true;
      },
    });
    return [line, reach];
  }

  showTip(event, ...lines) {
    fill(this.tip, lines.map((line) => el("div", {}, line)));
    this.tip.hidden = false;
    const { width, height } = this.tip.getBoundingClientRect();
    const left = Math.max(8, Math.min(event.clientX + 12, innerWidth - width - 8));
    const top = event.clientY - height - 12;
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top < 4 ? event.clientY + 16 : top)}px)`;
  }

  // MARK: - Table

  /** Row by row, only what has changed: it keeps its scroll place, and the focus on a purge. */
  drawTable() {
    const { history, holder } = this;
    const { activeElement } = document;
    const receipt = this.rows.contains(activeElement) ? activeElement.dataset.receipt : undefined;
    if (!holder.contains(this.table)) fill(holder, this.table);
    const days = new Map();
    for (const sample of history.samples) days.set(dayOf(new Date(sample.time)), sample);
    const past = [...days.values()].reverse().map((sample) => [
      moment(new Date(sample.time)), bytes(sample.totalBytes - sample.availableBytes), bytes(sample.availableBytes), ""]);
    const ahead = history.fan.filter((point, index) => index % Math.ceil(history.fan.length / 6) === 0);
    const coming = ahead.map((point) => [
      `${moment(new Date(point.time))} (expected)`, "", bytes(point.likelyBytes),
      `${bytes(point.lowBytes)} – ${bytes(point.highBytes)} available`]);
    const purges = history.purges.toReversed().map((purge) => [
      moment(new Date(purge.time)), "", "",
      `purge: gained ${bytes(purge.gainedBytes)}, ${counted(purge.items, "item")}`, purge.receipt]);
    update(this.rows, [...coming.reverse(), ...purges, ...past].map((cells) => ({
      state: cells, draw: () => this.row(...cells),
    })));
    if (receipt === undefined || this.rows.contains(document.activeElement)) return;
    const again = [...this.rows.querySelectorAll("button")].find((button) => button.dataset.receipt === receipt);
    (again ?? this.table).focus({ preventScroll: true });
  }

  row(when, used, available, what, receipt) {
    return el("tr", {},
      el("th", { scope: "row" }, when), el("td", { class: "number" }, used), el("td", { class: "number" }, available),
      el("td", {}, receipt === undefined ? what : el("button", {
        type: "button", class: "path", "data-receipt": receipt, onclick: () => this.onReceipt(receipt),
      }, what)));
  }
}

// MARK: - Parts of the drawing

/** Where the scale begins: room enough that a small change can be seen, and never far from what there was. */
function lowest(samples, fan, total) {
  const least = Math.min(...samples.map((sample) => sample.used), ...fan.map((point) => point.low));
  const begin = least - (total - least) * 0.25;
  return begin < total * 0.3 ? 0 : begin;
}

function nearest(points, time) {
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const half = (low + high) >> 1;
    if (points[half].time < time) low = half + 1;
    else high = half;
  }
  return low > 0 && time - points[low - 1].time < points[low].time - time ? points[low - 1] : points[low];
}

function axes({ x, y, start, end, now, floor, total, width, bottom, height }) {
  const parts = [];
  const step = niceStep((total - floor) / 4);
  for (let value = Math.ceil(floor / step) * step; value < total; value += step) {
    parts.push(
      svg("line", { class: "grid", x1: margin.left, x2: width - margin.right, y1: y(value), y2: y(value) }),
      svg("text", { class: "axis left", x: margin.left - 6, y: y(value) }, value === 0 ? "0" : bytes(value).replace(/\.0+ /, " ")));
  }
  const most = Math.max(3, (width - 80) / 90);
  const every = timeSteps.find((step) => (end - start) / step <= most) ?? 365 * day;
  const label = every < day ? timeOf : dayOf;
  const first = new Date(now);
  first.setHours(0, 0, 0, 0);
  for (let time = first.getTime() - Math.floor((first - start) / every) * every; time <= end; time += every) {
    if (time < start || Math.abs(x(time) - x(now)) < 44) continue;
    parts.push(svg("text", { class: "axis below", x: x(time), y: height - 6 }, label(new Date(time))));
  }
  parts.push(
    svg("line", { class: "now", x1: x(now), x2: x(now), y1: margin.top, y2: bottom }),
    svg("text", { class: "axis below now", x: Math.min(x(now), width - 24), y: height - 6 }, "now"),
    svg("line", { class: "base", x1: margin.left, x2: width - margin.right, y1: bottom, y2: bottom }));
  return parts;
}

/** 1, 2 or 5 of a power of ten. */
function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
}

function course(samples, fan, { x, y, bottom, now, end, total }) {
  const parts = [];
  const line = samples.map((sample) => `${x(sample.time).toFixed(1)} ${y(sample.used).toFixed(1)}`);
  const first = x(samples[0].time).toFixed(1);
  const last = x(samples.at(-1).time).toFixed(1);
  parts.push(svg("path", { class: "past-area", d: `M ${first} ${bottom} L ${line.join(" L ")} L ${last} ${bottom} Z` }));
  const ahead = fan.filter((point) => point.time >= now && point.time <= end);
  if (ahead.length > 1) {
    const at = (name) => ahead.map((point) => `${x(point.time).toFixed(1)} ${y(Math.min(total, point[name])).toFixed(1)}`);
    parts.push(
      svg("path", { class: "fan", d: `M ${at("high").join(" L ")} L ${at("low").reverse().join(" L ")} Z` }),
      svg("path", { class: "likely", d: `M ${at("likely").join(" L ")}` }));
  }
  parts.push(
    svg("path", { class: "past", d: `M ${line.join(" L ")}` }),
    svg("circle", { class: "latest", cx: last, cy: y(samples.at(-1).used), r: 3 }));
  return parts;
}
