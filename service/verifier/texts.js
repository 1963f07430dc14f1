/* All that the page says. `{where}` is a place in a file; places are named in both languages by `placed`. */
"use strict";

const GRAVE = ["unreadable", "cut", "order", "sealed", "signature", "key", "other", "chain", "hash", "settlement", "path",
  "record", "text", "tail", "gone", "fork"];

const SAID = {
  en: {
    title: "Is this what was recorded?",
    about: "Drop receipts, checkpoints and bundles of a Boston club here, several at once. Nothing leaves this device: no network is used, and the page works from a disk.",
    choose: "Choose files", paste: "Or paste what a receipt's QR code says", key: "Fingerprint of the club's key, as printed on a score sheet",
    check: "Check", language: "По-русски", none: "Nothing to check yet.",
    holds: "Holds", fails: "DOES NOT HOLD", wrong: "What is wrong", known: "What is known", says: "What it says",
    "kind.receipt": "receipt", "kind.checkpoint": "checkpoint", "kind.bundle": "bundle", "kind.code": "short form", "kind.unknown": "unknown kind of file",
    unreadable: "{where}: does not read; a byte of it was changed or lost",
    cut: "{where}: the end is missing",
    order: "{where}: stands in the wrong place, or something before it is missing",
    sealed: "{where}: the lines before the seal are not those that were sealed",
    signature: "{where}: the signature does not hold: it was altered, or not signed with this key",
    key: "{where}: signed with another key than the club's",
    other: "{where}: belongs to another club or session",
    chain: "{where}: the hash is not that of the event before and this body: one of them was altered",
    hash: "{where}: the events do not lead to the hash that was signed",
    settlement: "{where}: the events tell another settlement than the one that was signed",
    path: "{where}: the path does not lead to what the checkpoint covers",
    record: "{where}: the record tells something else than the event",
    text: "{where}: the text is not the one whose digest was recorded",
    tail: "{where}: the end was cut: it had come further once",
    gone: "{where}: is not covered any more, although it was there before",
    fork: "{where}: two histories: something else was signed for the same place",
    signed: "Signed with the key {where}. Compare it with the one printed on the club's score sheets.",
    covered: "Covered by {where}.",
    uncovered: "No checkpoint covers it yet; until one does, only the signature vouches for it.",
    stands: "In the bundle beside it, {where} stands as the receipt says.",
    superseded: "The receipt is good, and was superseded later: see {where}.",
    corrected: "{where} corrected what had been settled before.",
    older: "The session went on after this file was sealed: {where} was signed later.",
    erased: "{where} texts or names were erased since; what was hashed holds all the same.",
    "proves.receipt": "Proven: the holder of this key signed this line at this time, and the events in the file lead to exactly this hash. Not proven: that the key is your club's (compare the fingerprint), that nothing else was signed for the same line, and that what was entered is what happened at the table.",
    "proves.code": "Proven: the holder of this key signed this line at this time. The events themselves are in the receipt as a file, and in the bundle. Not proven: that the key is your club's (compare the fingerprint), and that nothing else was signed for the same line.",
    "proves.bundle": "Proven: no event was altered, taken out, put in or moved since the checkpoints that cover the session, and the record says what the events say. The club's seal vouches for the players' names and for the list of lines; money by the rules is judged anew by the command boston verify. Not proven: that the key is your club's (compare the fingerprint), and that the box's owner did not write and sign everything anew before the first checkpoint that you know of.",
    "proves.checkpoint": "Proven: the holder of this key signed exactly these heads at this time. Keep the file: whatever is cut, replaced or taken out later does not agree with it.",
    "proves.not": "As it is, the file proves nothing.",
    line: "line {0} of the score sheet, deal {1}", session: "session", at: "signed", version: "event", money: "Money", balances: "Balance", pool: "Pool",
    tricks: "Tricks", caller: "Caller", dealer: "Dealer", contract: "Contract", outcome: "Outcome", players: "Players", events: "{0} events in {1} entries, of {2}",
    heads: "{0} sessions", corrections: "Corrections and rulings", entry: "entry {0}: {1}", reason: "reason", law: "law", nameGone: "(name erased)",
    "outcome.made": "made", "outcome.failed": "failed", "outcome.misere_partout": "misère partout", "outcome.thrown_in": "thrown in",
    "outcome.misdeal": "misdeal", "outcome.cancelled": "cancelled", correction_made: "correction", transfer_ruled: "transfer",
    place: { "": "the file", key: "key", checkpoint: "checkpoint", event: "event", entry: "entry", line: "line", row: "line of the score sheet",
      seal: "the seal", receipt: "the receipt", head: "the chain's head", statement: "the statement", session: "session", version: "event", text: "text" },
  },
  ru: {
    title: "Так ли это было записано?",
    about: "Перетащите сюда квитанции, контрольные точки и пакеты клуба «Бостон», можно несколько сразу. С этого устройства ничего не уходит: сеть не нужна, страница работает и с диска.",
    choose: "Выбрать файлы", paste: "Или вставьте то, что записано в QR-коде квитанции", key: "Отпечаток ключа клуба, как он напечатан на листе счёта",
    check: "Проверить", language: "In English", none: "Пока нечего проверять.",
    holds: "Всё сходится", fails: "НЕ СХОДИТСЯ", wrong: "Что не так", known: "Что известно", says: "Что там сказано",
    "kind.receipt": "квитанция", "kind.checkpoint": "контрольная точка", "kind.bundle": "пакет", "kind.code": "краткая форма", "kind.unknown": "неизвестный вид файла",
    unreadable: "{where}: не читается; какой-то байт изменён или потерян",
    cut: "{where}: нет конца",
    order: "{where}: стоит не на своём месте, или перед этим чего-то не хватает",
    sealed: "{where}: строки перед печатью не те, что были скреплены",
    signature: "{where}: подпись неверна: текст изменён или подписан не этим ключом",
    key: "{where}: подписано не ключом клуба",
    other: "{where}: относится к другому клубу или другой партии",
    chain: "{where}: хеш не соответствует предыдущему событию и этому тексту: что-то из них изменено",
    hash: "{where}: события не приводят к подписанному хешу",
    settlement: "{where}: по событиям расчёт другой, чем подписанный",
    path: "{where}: путь не приводит к тому, что охвачено контрольной точкой",
    record: "{where}: запись говорит не то, что событие",
    text: "{where}: текст не тот, чей хеш был записан",
    tail: "{where}: конец отрезан: раньше было записано больше",
    gone: "{where}: больше не охвачено, хотя раньше было",
    fork: "{where}: две истории: для того же места было подписано другое",
    signed: "Подписано ключом {where}. Сравните его с напечатанным на листах счёта клуба.",
    covered: "Охвачено: {where}.",
    uncovered: "Контрольной точки ещё нет; пока её нет, ручается только подпись.",
    stands: "По приложенному пакету всё так же, как в квитанции: {where}.",
    superseded: "Квитанция верна, но позже заменена: {where}.",
    corrected: "Исправлено рассчитанное раньше: {where}.",
    older: "После скрепления этого файла партия продолжалась: позже подписано {where}.",
    erased: "С тех пор стёрто текстов или имён: {where}; всё хешированное по-прежнему сходится.",
    "proves.receipt": "Доказано: владелец этого ключа подписал эту строку в это время, и события в файле приводят ровно к этому хешу. Не доказано: что ключ принадлежит вашему клубу (сравните отпечаток), что для той же строки не подписано другое и что за столом было именно то, что введено.",
    "proves.code": "Доказано: владелец этого ключа подписал эту строку в это время. Сами события есть в квитанции-файле и в пакете. Не доказано: что ключ принадлежит вашему клубу (сравните отпечаток) и что для той же строки не подписано другое.",
    "proves.bundle": "Доказано: после контрольных точек, охватывающих партию, ни одно событие не изменено, не изъято, не вставлено и не переставлено, и запись говорит то же, что события. За имена игроков и за список строк ручается печать клуба; деньги по правилам пересчитывает команда boston verify. Не доказано: что ключ принадлежит вашему клубу (сравните отпечаток) и что владелец сервера не написал и не подписал всё заново до первой известной вам контрольной точки.",
    "proves.checkpoint": "Доказано: владелец этого ключа подписал в это время именно эти состояния. Сохраните файл: всё, что потом отрежут, заменят или изымут, с ним не сойдётся.",
    "proves.not": "В таком виде файл ничего не доказывает.",
    line: "строка {0} листа счёта, сдача {1}", session: "партия", at: "подписано", version: "событие", money: "Деньги", balances: "Счёт", pool: "Банк",
    tricks: "Взятки", caller: "Играющий", dealer: "Сдающий", contract: "Контракт", outcome: "Исход", players: "Игроки", events: "событий: {0}, записей: {1}, от {2}",
    heads: "партий: {0}", corrections: "Исправления и решения", entry: "запись {0}: {1}", reason: "причина", law: "правило", nameGone: "(имя стёрто)",
    "outcome.made": "сыграно", "outcome.failed": "не сыграно", "outcome.misere_partout": "мизер-партут", "outcome.thrown_in": "пересдача без игры",
    "outcome.misdeal": "ошибка сдачи", "outcome.cancelled": "отменено", correction_made: "исправление", transfer_ruled: "перевод",
    place: { "": "файл", key: "ключ", checkpoint: "контрольная точка", event: "событие", entry: "запись", line: "строка", row: "строка листа счёта",
      seal: "печать", receipt: "квитанция", head: "конец цепочки", statement: "подписанный текст", session: "партия", version: "событие", text: "текст" },
  },
};

/** A text of a language, with values in the places of {0}, {1}. */
function say(language, key, ...values) {
  return (SAID[language][key] ?? key).replace(/\{(\d)\}/g, (_, at) => values[at]);
}

/** A finding in words. */
function spoken(language, { code, where }) {
  const [kind, ...rest] = where.split(" ");
  const named = Object.hasOwn(SAID[language].place, kind) ? [SAID[language].place[kind], ...rest].join(" ") : where;
  return SAID[language][code].replace("{where}", () => named);
}
