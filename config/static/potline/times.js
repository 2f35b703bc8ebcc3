// The one place where a script writes a time: by the clock of the premises, with the name of its zone: "10:59:03 NZDT".
"use strict";

// A browser knows the short name of a zone in the English of its country alone, elsewhere as "GMT+13": the first that has one.
const ENGLISH = ["en-GB", "en-NZ", "en-AU", "en-US", "en-CA", "en-ZA", "en-IN"];
const writtenBy = {};

// `timeZone`: such as "Pacific/Auckland", as the server tells it; `seconds`: whether they are told.
function timeOf(ms, timeZone, seconds = true) {
  const parts = { timeZone, timeZoneName: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  if (seconds) parts.second = "2-digit";
  const writers = writtenBy[`${timeZone} ${seconds}`] ??= ENGLISH.map((english) => new Intl.DateTimeFormat(english, parts));
  const told = writers.map((writer) => Object.fromEntries(writer.formatToParts(ms).map(({ type, value }) => [type, value])));
  const zone = (told.find(({ timeZoneName }) => !/^GMT[+-]/.test(timeZoneName)) ?? told[0]).timeZoneName;
  const { hour, minute, second } = told[0];
  return `${hour}:${minute}${seconds ? `:${second}` : ""} ${zone}`;
}
