// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0

// Speaks with the daemon: with the token, and with errors that are sentences.

import { readableBytes } from "./format.js";

const base = "api/v1";
const tokenKey = "headroom-token";
/** What is only read is answered by then, or the daemon hangs; in milliseconds. */
const longest = 15_000;
/** For these the daemon looks at the disk first. */
const mayTakeLong = /^\/(tree|explain|cleanables)(\/|$)/;

/** What an answer of 400 and above says, or that there was none (`isGone`). */
export class APIError extends Error {
  constructor(status, code, message, advice) {
    super(message);
    this.status = status;
    this.code = code;
    this.advice = advice ?? "";
  }

  /** The daemon did not answer. */
  get isGone() { return this.status === 0; }

  /** The token is missing or wrong. */
  get needsToken() { return this.status === 401; }

  /** What was shown is no longer true, or others are at it. */
  get isConflict() { return this.status === 409; }
}

// MARK: - Token

/**
 * Takes the token out of the address (`#token=…`), so that it is in no bookmark and no history.
 *
 * It stays for this tab only.
 *
 * @returns whether there was one
 */
export function adoptToken() {
  const match = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  if (!match) return false;
  setToken(decodeURIComponent(match[1]));
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}

export function setToken(token) {
  sessionStorage.setItem(tokenKey, token.trim());
}

export function hasToken() {
  return Boolean(sessionStorage.getItem(tokenKey));
}

function headers(more = {}) {
  return { Authorization: `Bearer ${sessionStorage.getItem(tokenKey) ?? ""}`, ...more };
}

// MARK: - Requests

const connectionListeners = new Set();
let isConnected = true;

/** Calls back when the daemon stops or begins to answer: with whether it does, and whether it hangs. */
export function onConnection(listener) {
  connectionListeners.add(listener);
}

/** @param {boolean} isSilent that it takes what is asked, and says nothing */
function setConnected(value, isSilent = false) {
  if (value === isConnected) return;
  isConnected = value;
  for (const listener of connectionListeners) listener(value, isSilent);
}

export const get = (path, query, options) => request("GET", path, { query, ...options });
export const post = (path, body, options) => request("POST", path, { body, ...options });
export const put = (path, body, options) => request("PUT", path, { body, ...options });
export const remove = (path, options) => request("DELETE", path, options);

/** Values that are null or undefined are left out. */
function address(path, query = {}) {
  const parts = Object.entries(query)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) =>
      // What is encoded already has the bytes of a name that no text could stand for.
      `${name}=${value instanceof Encoded ? value.text : encodeURIComponent(value)}`);
  return `${base}${path}${parts.length > 0 ? `?${parts.join("&")}` : ""}`;
}

/** Something that is percent-encoded already. */
export class Encoded {
  constructor(text) { this.text = text; }
}

async function request(method, path, { query, body, signal } = {}) {
  const limit = method === "GET" && !mayTakeLong.test(path) ? AbortSignal.timeout(longest) : null;
  const response = await answer(path, query, {
    method, signal, limit,
    headers: headers(body === undefined ? {} : { "Content-Type": "application/json" }),
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (response.status === 204) return null;
  try {
    return withReadableNames(await response.json());
  } catch (error) {
    if (signal?.aborted) throw error;
    if (limit?.aborted) throw silence(path);
    setConnected(false);
    throw new APIError(0, "cut-off", "The daemon's answer was cut off.", "It is asked again.");
  }
}

async function answer(path, query, { signal, limit, ...options }) {
  let response;
  try {
    response = await fetch(address(path, query), {
      ...options, signal: AbortSignal.any([signal, limit].filter(Boolean)),
      cache: "no-store", credentials: "omit", redirect: "error",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (limit?.aborted) throw silence(path);
    setConnected(false);
    throw new APIError(
      0, "gone", "The daemon does not answer.",
      "It may have ended: headroom serve starts it. This page comes back by itself.");
  }
  setConnected(true);
  if (!response.ok) throw await failure(response);
  return response;
}

/** Only a status is always at hand: something else that is late says nothing about the daemon. */
function silence(path) {
  if (path === "/status") setConnected(false, true);
  return new APIError(
    0, "silent", "The daemon does not answer.",
    `It took what was asked ${longest / 1000} seconds ago, and has said nothing. It may have too much to do.`);
}

async function failure(response) {
  let error;
  try {
    ({ error } = await response.json());
  } catch {
    // Not from the API: a proxy in between, or the static files.
  }
  return new APIError(
    response.status, error?.code ?? "unknown",
    error?.message ?? `The daemon answered ${response.status}.`, error?.advice);
}

// MARK: - Paths

/** What names a path in a query: its text, or its bytes where it is no text. */
export function pathQuery(path, pathBytes) {
  // mutation: r38c-6
  return pathBytes ? new Encoded(pathBytes) : path;
}

/** What names a path in a body. */
export function pathReference(path, pathBytes) {
  return pathBytes ? { pathBytes } : { path };
}

/**
 * Names that are no text, as the commands show them: `caf\xE9`. What names them in requests stays.
 *
 * Beside each such member there is another one with its bytes: `path` and `pathBytes`.
 */
function withReadableNames(value) {
  if (Array.isArray(value)) for (const element of value) withReadableNames(element);
  else if (value !== null && typeof value === "object") {
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === "object") withReadableNames(member);
      else if (typeof member === "string" && key.endsWith("Bytes")) {
        const name = key.slice(0, -"Bytes".length);
        if (typeof value[name] === "string") value[name] = readableBytes(member);
      }
    }
  }
  return value;
}

// MARK: - Events

/**
 * Follows server-sent events until the stream ends.
 *
 * `EventSource` cannot send the token.
 *
 * @param {(name: string, data: any, id: string | undefined) => void} onEvent
 * @param {{signal?: AbortSignal, lastID?: string}} options `lastID`: what was seen last
 */
export async function follow(path, onEvent, { signal, lastID } = {}) {
  const response = await answer(path, {}, {
    signal,
    headers: headers({
      Accept: "text/event-stream", ...(lastID ? { "Last-Event-ID": lastID } : {}),
    }),
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (error) {
      if (signal?.aborted) throw error;
      setConnected(false);
      throw new APIError(0, "cut-off", "The daemon's answer was cut off.", "It is asked again.");
    }
    if (part.done) return;
    rest += part.value;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event.data !== undefined) {
        onEvent(event.name, withReadableNames(JSON.parse(event.data)), event.id);
      }
    }
  }
}

/** One block of a stream; a comment has no data. */
function parseEvent(block) {
  const event = { name: "message" };
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event.name = value;
    else if (field === "id") event.id = value;
    else if (field === "data") event.data = event.data === undefined ? value : `${event.data}\n${value}`;
  }
  return event;
}
