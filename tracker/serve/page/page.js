'use strict';
// The players' page. Everything it shows is text from the server, put in as text and never as markup.

const query = new URLSearchParams(location.search), tv = query.has('tv');
const dice = document.body.dataset.dice === 'on' && !tv;
const $ = id => document.getElementById(id);
const HEARD_WITHIN = 40000, AGAIN = 500, SELDOM = 10000;
const STATES = {
  paused: 'The GM has paused this screen.',
  back: 'The GM is looking back: here stands the fight as it is.',
  trial: 'The GM is trying something: here stands the fight as it is.',
};
let source = null, heard = 0, again = 0, view = null, claims = {}, thrown = [];
let following = true, gone = false;

function el(name, text, ...classes) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const one of classes) if (one) made.classList.add(one);
  return made;
}

function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name);
    if (value === null) localStorage.removeItem(name); else localStorage.setItem(name, value);
  } catch { /* a browser that keeps nothing forgets who it is when it is closed */ }
  return value ?? null;
}

let device = kept('device');
if (!device) {
  device = [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
  kept('device', device);
}
let tag = kept('tag');
const mine = () => Object.keys(claims).find(who => claims[who] === tag) ?? null;

// -- what is shown ----------------------------------------------------------------------------------------------------

function show() {
  if (!view || view.problem) {
    $('moment').textContent = view ? view.problem : '';
    for (const id of ['order', 'people']) $(id).replaceChildren();
    for (const id of ['story', 'mine', 'ends', 'board', 'log', 'roll']) $(id).hidden = true;
    return;
  }
  document.title = view.moment;
  $('title').textContent = view.title + (view.time ? ' · ' + view.time : '');
  $('moment').textContent = view.moment;
  order();
  const own = mine(), others = view.combatants.filter(one => one.id !== own);
  const people = [...others.filter(one => one.present), ...others.filter(one => !one.present)];
  if (!tv) $('people').replaceChildren(...people.map(card));
  const me = view.combatants.find(one => one.id === own);
  $('mine').hidden = !me;
  $('mine').replaceChildren(...(me ? [card(me)] : []));
  list('ends', view.ends.map(end => `${name(end.who)}: ${end.what} ${end.when}`));
  list('log', tv ? [] : view.log.slice(-6));
  const parts = tv ? [] : view.story ?? [];
  $('story').hidden = !parts.length;
  $('story').replaceChildren(...parts.flatMap(([title, words]) => [...(title ? [el('h3', title)] : []), el('p', words)]));
  board();
  document.body.classList.toggle('plain', $('board').hidden);
  if (tv) screen();
  ask(own);
  state();
}

// -- the TV: the party stays, the others are shown page by page if there is no room, in the largest type that fits -----

// Sizes of type in parts of the height: the least, the least for which names may be whole, the most.
const LEAST = 0.026, WHOLE = 0.034, MOST = 0.05, PAGE = 8000;
let page = 0, pages = 1, shownTurn = '';

function screen() {
  const ours = view.combatants.filter(one => one.friend), rest = view.combatants.filter(one => !one.friend);
  const others = rest.filter(one => one.present), party = group('Party', ours.map(card)), foes = group('Others', []);
  const sorted = [...others.filter(one => !one.ally), ...others.filter(one => one.ally)];
  const words = sorted.every(one => !one.ally) ? 'Foes' : sorted.every(one => one.ally) ? 'Allies' : 'Foes and allies';
  const out = rest.length - others.length, note = el('p', '', 'pages'), list = foes.lastChild;
  foes.firstChild.textContent = words;
  foes.firstChild.append(note);
  $('people').replaceChildren(...(ours.length ? [party, foes] : [foes]));
  const tell = (at, left) => {
    note.textContent = [pages > 1 ? `page ${at + 1} of ${pages} · ${left} more` : '', out ? `${out} out of the fight` : ''].filter(Boolean).join(' · ');
  };
  const over = box => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
  const cut = () => [...$('people').querySelectorAll('b')].some(title => title.scrollWidth > title.clientWidth + 1);
  const fits = () => !over(list) && !over(party.lastChild) && (size < WHOLE || !cut());
  let size = MOST;
  pages = 1;
  tell(0, 0);
  list.replaceChildren(...sorted.map(card));
  const most = document.body.classList.contains('plain') ? 2 : 1;
  for (; size > LEAST; size *= 0.95) {
    document.body.style.setProperty('--t', `${size * innerHeight}px`);
    for (let columns = 1; columns <= most; columns++) {
      foes.style.setProperty('--lists', columns);
      if (fits()) return turned(sorted);
    }
  }
  document.body.style.setProperty('--t', `${LEAST * innerHeight}px`);
  if (fits()) return turned(sorted);
  const sheets = [];
  pages = 2;
  tell(0, sorted.length);
  for (let from = 0; from < sorted.length; from += sheets.at(-1).length) {
    const cards = sorted.slice(from).map(card);
    list.replaceChildren(...cards);
    while (cards.length > 1 && over(list)) cards.pop().remove();
    sheets.push(sorted.slice(from, from + cards.length));
  }
  pages = Math.max(1, sheets.length);
  if (turned(sorted)) page = Math.max(0, sheets.findIndex(sheet => sheet.some(isNow)));
  const at = page % pages, sheet = sheets[at] ?? [];
  list.replaceChildren(...sheet.map(card));
  tell(at, sorted.length - sheet.length);
}

// The page with the combatant whose turn has just begun comes first.
function turned(people) {
  const turn = people.filter(isNow).map(one => one.id).join(' ') || view.moment, other = turn !== shownTurn;
  shownTurn = turn;
  return other;
}

function group(title, cards) {
  const made = el('section', '', 'group'), list = el('div', '', 'list');
  list.append(...cards);
  made.append(el('h2', title), list);
  return made;
}

function name(id) { return view.combatants.find(one => one.id === id)?.name ?? ''; }

function isNow(one) { return one.present && isUp(one); }

function isUp(one) { return one.acting || (view.now !== null && view.order[view.now].members.includes(one.id)); }

function order() {
  const before = $('order').querySelector('.now')?.textContent;
  $('order').replaceChildren(...view.order.map((slot, place) => {
    const segment = slot.segment === null ? '' : slot.segment + ' ';
    const chip = el('li', segment + slot.title, slot.when, place === view.next ? 'next' : '');
    if (slot.when === 'now') chip.setAttribute('aria-current', 'true');
    return chip;
  }));
  const now = $('order').querySelector('.now');
  if (now && (following || now.textContent !== before)) {
    following = false;
    $('order').scrollLeft = now.offsetLeft - ($('order').clientWidth - now.clientWidth) / 2;
  }
}

function card(one) {
  const made = el('article', '', 'one', camp(one), isNow(one) ? 'now' : '', one.present ? '' : 'away');
  const points = one.pools.map(pool => `${pool.title || pool.key} ${pool.now}/${pool.max}`), head = el('div', '', 'head');
  head.append(el('span', one.label, 'label'), el('b', one.name), el('span', sideOf(one), 'kind'));
  if (one.words && !(tv && one.health === 'unhurt')) head.append(el('span', one.words, 'health', one.health === 'badly hurt' ? 'badly' : one.health || 'untold'));
  made.append(head);
  const row = el('div', '', 'pools'), first = one.pools[0];
  if (first && first.max > 0) {
    const bar = el('div', '', 'bar', first.now * 4 <= first.max ? 'badly' : first.now * 2 <= first.max ? 'hurt' : '');
    const left = el('i');
    left.style.width = `${Math.max(0, Math.min(100, 100 * first.now / first.max))}%`;
    bar.append(left);
    row.append(bar);
  }
  row.append(...points.map(text => el('span', text)));
  if (dice && one.pc) row.append(...claiming(one));
  if (row.childElementCount) made.append(row);
  if (one.effects.length) {
    const row = el('div', '', 'effects');
    row.append(...one.effects.map(effect => el('span', (effect.words || effect.name) + (effect.until ? ' → ' + effect.until : ''))));
    made.append(row);
  }
  return made;
}

function camp(one) { return one.friend ? 'friend' : one.ally ? 'ally' : 'foe'; }

// Friend, ally or foe is told by colour; a side's name is wanted only where there are several of them.
function sideOf(one) {
  if (tv) return '';
  const alike = view.sides.filter(side => side.friend === one.friend);
  return alike.length > 1 ? alike.find(side => side.id === one.side)?.name ?? '' : '';
}

function list(id, texts) {
  $(id).hidden = !texts.length;
  $(id).lastElementChild.replaceChildren(...texts.map(text => el('li', text)));
}

function state() {
  const mode = view && view.table ? view.table.mode : 'live', stale = document.body.classList.contains('stale');
  $('state').textContent = gone ? 'This address is no longer good: ask the GM for the new one.' : stale ? 'Not live. Trying again …' : STATES[mode] ?? '';
  $('state').hidden = !$('state').textContent;
  $('state').classList.toggle('pause', !stale);
}

// -- the map ----------------------------------------------------------------------------------------------------------

function svg(name, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

function board() {
  const ground = view.board, standing = view.combatants.filter(one => one.at);
  $('board').hidden = !ground;
  if (!ground) return $('board').replaceChildren();
  const line = ground.kind === 'line', places = standing.map(one => one.at[0]);
  const least = line ? Math.min(0, ...places) : 0, most = line ? Math.max(ground.width, 1, ...places) : ground.width;
  const width = line ? 40 : ground.width, height = line ? 8 : ground.height;
  const x = place => line ? 1.5 + (place - least) / (most - least || 1) * (width - 3) : place;
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Map' });
  for (const tile of ground.tiles) {
    const style = [tile.style, tile.word].find(word => ['wall', 'water'].includes(word)) ?? 'tile';
    picture.append(svg('rect', { x: tile.x, y: tile.y, width: 1, height: 1, class: style }));
    if (tile.sign && style !== 'wall') picture.append(svg('text', { x: tile.x + 0.5, y: tile.y + 0.72, 'font-size': 0.6, class: 'sign' }, tile.sign));
  }
  for (const [row, first, last] of ground.fog ?? [])
    picture.append(svg('rect', { x: first, y: row, width: last - first + 1, height: 1, class: 'fog' }));
  if (line) picture.append(svg('path', { d: `M0 ${height - 1} H${width}`, class: 'grid' }));
  else {
    let way = '';
    for (let at = 0; at <= width; at++) way += `M${at} 0V${height}`;
    for (let at = 0; at <= height; at++) way += `M0 ${at}H${width}`;
    picture.append(svg('path', { d: way, class: 'grid' }));
  }
  for (const zone of ground.zones) if (zone.middle !== null && line)
    picture.append(svg('ellipse', { cx: x(zone.middle), cy: height - 1, rx: Math.max(1, (zone.radius ?? 1) / (most - least || 1) * width), ry: 0.9, class: 'zone' }));
  const stacked = {};
  standing.sort((one, other) => one.present - other.present); // the living are drawn above the dead
  for (const one of standing) {
    const size = line ? 1 : one.space, level = line ? stacked[one.at[0]] = (stacked[one.at[0]] ?? 0) + 1 : 0;
    const left = line ? x(one.at[0]) - 0.5 : one.at[0], top = line ? height - 1 - level : one.at[1];
    const group = svg('g', { class: `${camp(one)}${isNow(one) ? ' now' : ''}${one.present ? '' : ' away'}` });
    group.append(one.friend || one.ally
      ? svg('circle', { cx: left + size / 2, cy: top + size / 2, r: size * 0.42, class: 'token' })
      : svg('rect', { x: left + size * 0.1, y: top + size * 0.1, width: size * 0.8, height: size * 0.8, class: 'token' }));
    group.append(svg('text', { x: left + size / 2, y: top + size / 2 + 0.2, 'font-size': 0.55 }, one.label), svg('title', {}, one.name));
    picture.append(group);
  }
  $('board').replaceChildren(picture);
}

// -- the players' dice ------------------------------------------------------------------------------------------------

function claiming(one) {
  if (claims[one.id] === tag && tag) {
    const leave = el('button', 'Not mine');
    leave.onclick = () => send('claim', { who: one.id, device, drop: true });
    return [leave];
  }
  if (mine()) return [];
  if (claims[one.id]) return [el('span', 'taken', 'kind')];
  const take = el('button', 'This is me');
  take.onclick = async () => {
    const answer = await send('claim', { who: one.id, device });
    if (answer?.tag) { tag = answer.tag; kept('tag', tag); show(); }
  };
  return [take];
}

function ask(own) {
  const asked = dice && view.table.ask && view.table.ask.who === own ? view.table.ask : null;
  const key = asked ? asked.key : '';
  if ($('roll').dataset.key !== key) {
    $('roll').dataset.key = key;
    $('dice').value = '';
    const [rolled, ...faces] = (kept('thrown') ?? '').split(' ');  // a page that is loaded again has rolled already
    thrown = key && rolled === key ? faces.map(Number) : [];
    said('');
  }
  $('roll').hidden = !asked;
  if (!asked) return;
  $('ask').textContent = `${asked.dice}, ${asked.what}`;
  $('dice').placeholder = asked.sides.length === 1 ? `1–${asked.sides[0]}` : asked.faces ? 'each die' : 'total, or each die';
}

function said(text, wrong) {
  $('sent').textContent = text;
  $('sent').classList.toggle('wrong', Boolean(wrong));
}

// What is said of a claim stands in the head: the form is shown only while a die is asked for.
function told(text) {
  $('told').textContent = text;
  $('told').hidden = !text;
}

async function send(where, what) {
  const tell = where === 'claim' ? told : text => said(text, true);
  told('');
  try {
    const answer = await fetch(where, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(what) });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) { tell(body.error ?? 'The GM’s computer did not take that.'); return null; }
    return body;
  } catch {
    tell('Not sent: there is no connection.');
    return null;
  }
}

$('roll').onsubmit = async event => {
  event.preventDefault();
  const asked = view?.table?.ask, typed = $('dice').value.trim().split(/[\s,+]+/).filter(Boolean);
  if (!asked) return;
  if (!typed.length || typed.some(one => !/^\d{1,4}$/.test(one))) return said('Type the number you have rolled.', true);
  let faces = typed.map(Number);
  if (faces.length === 1 && asked.sides.length === 1 && asked.sides[0] === 100 && faces[0] === 0) faces = [100];
  const what = { ask: asked.key, who: asked.who, device };
  const answer = await send('roll', faces.length === asked.sides.length ? { ...what, faces }
    : faces.length === 1 ? { ...what, total: faces[0] } : { ...what, faces });
  if (answer) said(`Sent: ${typed.join(' ')}. The GM takes it.`);
};

$('throw').onclick = () => {
  const asked = view?.table?.ask;
  if (!asked) return;
  if (!thrown.length) {
    thrown = asked.sides.map(fair);
    kept('thrown', [asked.key, ...thrown].join(' '));
  }
  $('dice').value = thrown.join(' ');
  said(`Rolled: ${thrown.join(' ')}`);
  $('roll').requestSubmit();
};

function fair(sides) {
  const most = Math.floor(0x100000000 / sides) * sides, word = new Uint32Array(1);
  do crypto.getRandomValues(word); while (word[0] >= most);
  return word[0] % sides + 1;
}

// -- staying live -----------------------------------------------------------------------------------------------------

function live() {
  heard = Date.now();
  gone = false;
  if (!document.body.classList.contains('stale')) return;
  document.body.classList.remove('stale');
  state();
}

function stale() {
  document.body.classList.add('stale');
  state();
}

function listen() {
  clearTimeout(again);
  source?.close();
  heard = Date.now();
  source = new EventSource('events');
  source.addEventListener('beat', live);
  source.addEventListener('view', event => { live(); view = JSON.parse(event.data); show(); });
  source.addEventListener('claims', event => { claims = JSON.parse(event.data); if (view) show(); });
  source.onerror = () => { stale(); source.close(); clearTimeout(again); again = setTimeout(ring, AGAIN); };
}

// A page with an address of another evening must not go on asking: that looks like guessing.
async function ring() {
  let status = 0;
  try { status = (await fetch('view', { cache: 'no-store' })).status; } catch { /* nobody answers yet */ }
  gone = status === 404 || status === 429;
  if (status && !gone) return listen();
  stale();
  clearTimeout(again);
  again = setTimeout(ring, gone ? SELDOM : AGAIN);
}

document.body.classList.toggle('tv', tv);
if (tv) {
  setInterval(() => { if (pages > 1 && view && !view.problem) { page++; show(); } }, PAGE);
  addEventListener('resize', () => { if (view) show(); });
}
document.addEventListener('visibilitychange', () => { if (!document.hidden) listen(); });
addEventListener('online', listen);
addEventListener('offline', stale);
setInterval(() => { if (Date.now() - heard > HEARD_WITHIN) { stale(); listen(); } }, 2000);
listen();
