/* The page: takes files, a pasted code or the one in the address, and says in words what they come to. */
"use strict";

let language = navigator.language.toLowerCase().startsWith("ru") ? "ru" : "en";
let brought = [];
const byId = (id) => document.getElementById(id);

/** An element with a class and children; texts are texts, never markup. */
function made(tag, content = [], name = "") {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...[content].flat());
  return element;
}

function drawTexts() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-say]")) element.textContent = say(language, element.dataset.say);
}

function draw() {
  drawTexts();
  const code = byId("paste").value.trim();
  const files = brought.map(({ name, bytes }) => check(name, bytes));
  if (code) files.push(check("QR", utf8(code)));
  compare(files, byId("key").value);
  byId("verdicts").replaceChildren(...(files.length ? files.map(verdict) : [made("p", say(language, "none"))]));
}

function verdict(file) {
  const grave = file.findings.filter(({ code }) => GRAVE.includes(code));
  const known = file.findings.filter(({ code }) => !GRAVE.includes(code));
  const list = (findings) => made("ul", findings.map((finding) => {
    const item = made("li", spoken(language, finding));
    item.dataset.code = `${finding.code} ${finding.where}`.trim();
    return item;
  }));
  const article = made("article", [
    made("h2", `${file.name}: ${say(language, `kind.${file.kind}`)}`),
    made("p", say(language, file.sound ? "holds" : "fails"), file.sound ? "good" : "bad"),
  ]);
  if (grave.length) article.append(made("h3", say(language, "wrong")), list(grave));
  article.append(made("p", say(language, file.sound ? `proves.${file.kind}` : "proves.not")));
  if (known.length) article.append(made("h3", say(language, "known")), list(known));
  const content = file.receipt ? [receipt(file.receipt)] : file.kind === "bundle" ? bundle(file) : checkpoint(file);
  if (content.length) article.append(made("h3", say(language, "says")), ...content);
  return article;
}

function receipt(told) {
  const row = (name, values) => made("tr", [made("th", name), ...values.map((value) => made("td", String(value)))]);
  const table = made("table", [row("", SEATS)]);
  if (told.tricks) table.append(row(say(language, "tricks"), told.tricks));
  if (told.deltas) table.append(row(say(language, "money"), told.deltas.map((value) => (value > 0 ? `+${value}` : value))));
  table.append(row(say(language, "balances"), told.balances));
  const facts = [
    ["dealer", told.dealer], ["contract", told.contract && [told.contract, told.trumps].filter(Boolean).join(" ")],
    ["caller", told.caller], ["outcome", say(language, `outcome.${told.outcome}`)], ["pool", say(language, "pools", ...told.pool)],
    ["session", told.session], ["version", told.version], ["at", told.at],
  ];
  return made("div", [
    made("p", say(language, "line", told.line, told.deal)), table,
    made("ul", facts.filter(([, value]) => value).map(([name, value]) => made("li", `${say(language, name)}: ${value}`))),
  ]);
}

function bundle(file) {
  if (!file.events.length) return [];
  const opened = file.events[0].data ?? {};
  const entries = new Set(file.events.map((event) => event.entry)).size;
  const names = new Map(file.players.map((one) => [one.player, one.name ?? say(language, "nameGone")]));
  const seated = SEATS.map((seat) => `${seat} ${names.get(opened.seats?.[seat]) ?? opened.seats?.[seat]}`).join(", ");
  const texts = new Map(file.texts.map((one) => [one.digest, one.text ?? ERASED]));
  const rulings = file.events.filter(({ data }) => ["correction_made", "transfer_ruled"].includes(data?.type));
  const told = [
    made("p", `${say(language, "session")}: ${file.session}`),
    made("p", say(language, "events", file.events.length, entries, [opened.date, opened.table].filter(Boolean).join(", "))),
    made("p", `${say(language, "players")}: ${seated}`),
  ];
  if (rulings.length)
    told.push(made("p", say(language, "corrections")), made("ul", rulings.map(({ entry, data, at }) => {
      const why = [["reason", texts.get(data.reason) ?? data.reason], ["law", texts.get(data.law) ?? data.law]];
      const words = why.filter(([, value]) => value).map(([name, value]) => `${say(language, name)}: ${value}`);
      return made("li", [say(language, "entry", entry, say(language, data.type)), at, ...words].join(", "));
    })));
  return told;
}

function checkpoint(file) {
  const last = file.checkpoints.at(-1);
  if (!last) return [];
  const { number, at, sessions, key } = last.made;
  return [made("p", `${SAID[language].place.checkpoint} ${number}, ${at}, ${say(language, "heads", sessions)}, ${fingerprintOf(last.hash)}, ${fingerprintOf(key)}`)];
}

async function bring(files) {
  brought = await Promise.all([...files].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
  draw();
}

function takeAddress() {
  if (location.hash.startsWith("#type=")) byId("paste").value = decodeURIComponent(location.hash.slice(1));
  draw();
}

byId("language").addEventListener("click", () => {
  language = language === "en" ? "ru" : "en";
  draw();
});
byId("files").addEventListener("change", (event) => bring(event.target.files));
byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  draw();
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) bring(event.dataTransfer.files);
});
addEventListener("hashchange", takeAddress);
takeAddress();
