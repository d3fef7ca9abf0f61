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
let source = null, heard = 0, again = 0, view = null, claims = {}, came = {}, muted = true, picture = '';
const opened = new Set();
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
let clockTurn = '', turnBegan = 0;
const mine = () => tag ? Object.keys(claims).filter(who => claims[who] === tag) : [];

// -- what is shown ----------------------------------------------------------------------------------------------------

function show() {
  if (!view || view.problem) {
    $('moment').textContent = view ? view.problem : '';
    for (const id of ['order', 'people']) $(id).replaceChildren();
    for (const id of ['story', 'mine', 'ends', 'board', 'log', 'rolls', 'say', 'turn', 'tabs', 'clock']) $(id).hidden = true;
    return;
  }
  document.title = view.moment;
  $('title').textContent = view.title + (view.time ? ' · ' + view.time : '');
  $('moment').textContent = view.moment;
  clock();
  order();
  const own = mine(), others = view.combatants.filter(one => !own.includes(one.id));
  if (!tv) $('people').replaceChildren(...others.filter(one => one.present).map(one => card(one)), ...gone_from(others));
  const me = view.combatants.filter(one => own.includes(one.id));
  $('mine').hidden = !me.length;
  $('mine').replaceChildren(...me.map(one => card(one, true)));
  turn(me);
  saying(me);
  story(view.story ?? []);
  board();
  const ends = view.ends.slice(0, tv && !$('board').hidden ? 2 : undefined);  // the cards of the party say it, too
  list('ends', ends.map(end => `${name(end.who)}: ${end.what} → ${end.when}`));
  list('log', view.log.slice(tv ? ($('board').hidden ? -3 : -5) : -8), me.map(one => one.name));
  document.body.classList.toggle('plain', $('board').hidden);
  if (tv && !document.body.classList.contains('ended')) screen();
  asks(own);
  state();
}

// The first of some values that fits, where all behind it fit too; the last one is taken as it is.
function first_that(fits, values) {
  let low = 0, high = values.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(values[middle])) high = middle; else low = middle + 1;
  }
  return values[low];
}

function sizes(most, least) {
  const found = [];
  for (let size = most; size > least; size *= 0.95) found.push(size);
  return [...found, least];
}

function downwards(count) { return [...Array(count).keys()].map(place => count - place); }

function over(box) { return box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1; }

function cut(box) { return [...box.querySelectorAll('b')].some(title => title.scrollWidth > title.clientWidth + 1); }

// -- the story, once the fight is over: the TV shows it instead of the combatants, page by page if there is no room ------

function story(parts) {
  const made = parts.map(([title, words]) => {
    const part = el('div', '');
    part.append(...(title ? [el('h3', title)] : []), el('p', words));
    return part;
  });
  $('story').hidden = !parts.length;
  document.body.classList.toggle('ended', tv && parts.length > 0);
  $('story').replaceChildren(...made);
  if (!tv || !made.length) return;
  const box = $('story'), fits = size => {
    box.style.setProperty('font-size', `${size * innerHeight}px`);
    return !over(box);
  };
  pages = 1;
  if (fits(first_that(fits, sizes(MOST, WHOLE)))) return;
  const [head, ...rest] = made, sheets = [];
  while (rest.length) {
    const holds = count => {
      box.replaceChildren(head, ...rest.slice(0, count));
      return !over(box);
    };
    sheets.push(rest.splice(0, first_that(holds, downwards(rest.length))));
  }
  const at = Math.floor(page / READ) % sheets.length;
  pages = sheets.length;
  box.replaceChildren(head, ...sheets[at], ...(sheets.length > 1 ? [el('p', `page ${at + 1} of ${sheets.length}`, 'pages')] : []));
}

// -- the TV: the party stays, the others are shown page by page if there is no room, in the largest type that fits -----

// Sizes of type in parts of the height: the least, the least for which names may be whole, the most beside a map, the most.
const LEAST = 0.026, WHOLE = 0.034, MOST = 0.05, LARGEST = 0.075, PAGE = 8000;
// A page of the story stays as long as so many pages of combatants.
const READ = 3;
let page = 0, pages = 1, shownTurn = '';

function screen() {
  const ours = view.combatants.filter(one => one.friend), rest = view.combatants.filter(one => !one.friend);
  const others = rest.filter(one => one.present), party = group('Party', ours.map(one => card(one))), foes = group('Others', []);
  const sorted = [...others.filter(one => !one.ally), ...others.filter(one => one.ally)];
  const words = sorted.every(one => !one.ally) ? 'Foes' : sorted.every(one => one.ally) ? 'Allies' : 'Foes and allies';
  const out = rest.length - others.length, note = el('p', '', 'pages'), list = foes.lastChild;
  foes.firstChild.textContent = words;
  foes.append(note);
  $('people').replaceChildren(...[ours.length && party, rest.length && foes].filter(Boolean));
  const tell = (at, left) => {
    note.textContent = [pages > 1 ? `page ${at + 1} of ${pages} · ${left} more` : '', out ? `${out} out` : ''].filter(Boolean).join(' · ');
  };
  const plain = document.body.classList.contains('plain'), largest = plain ? LARGEST : MOST;
  const fits = size => {
    document.body.style.setProperty('--t', `${size * innerHeight}px`);
    return [1, 2].slice(0, plain ? 2 : 1).some(columns => {
      foes.style.setProperty('--lists', columns);
      return !over(list) && !over(party.lastChild) && (size < WHOLE || !cut($('people')));
    });
  };
  // Each of the two has the largest type that it has room for, the party however many others there are.
  const grow = (group, least) => {
    const room = size => {
      group.style.setProperty('font-size', `${size * innerHeight}px`);
      return !over(group.querySelector('.list')) && !cut(group);
    };
    room(first_that(room, sizes(largest, least)));
  };
  pages = 1;
  tell(0, 0);
  list.replaceChildren(...sorted.map(one => card(one)));
  const size = first_that(fits, sizes(largest, LEAST)), all = fits(size);
  grow(party, size);
  if (all) {
    grow(foes, size);
    return turned(sorted);
  }
  const sheets = [];
  pages = 2;
  tell(0, sorted.length);
  for (let from = 0; from < sorted.length; from += sheets.at(-1).length) {
    const cards = sorted.slice(from).map(one => card(one)), holds = count => {
      list.replaceChildren(...cards.slice(0, count));
      return !over(list);
    };
    sheets.push(sorted.slice(from, from + first_that(holds, downwards(cards.length))));
  }
  pages = Math.max(1, sheets.length);
  if (turned(sorted)) page = Math.max(0, sheets.findIndex(sheet => sheet.some(isNow)));
  const at = page % pages, sheet = sheets[at] ?? [];
  list.replaceChildren(...sheet.map(one => card(one)));
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

// How long this turn has lasted, if the GM shows it, from when it began here.
function clock() {
  const turn = [view.round, view.now, view.moment, view.over].join(' ');
  if (turn !== clockTurn) { clockTurn = turn; turnBegan = Date.now(); }
  const seconds = Math.floor((Date.now() - turnBegan) / 1000);
  $('clock').textContent = `turn ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  $('clock').hidden = !view.clock || view.over;
}

// Whose turn it is of my characters, and who is next; the phone says it once by shaking.
let announced = '';
function turn(me) {
  const next = view.next === null ? [] : view.order[view.next].members;
  const up = me.filter(isNow), soon = me.filter(one => one.acts && !up.includes(one) && next.includes(one.id));
  const several = me.length > 1, names = who => who.map(one => one.name).join(', ');
  const words = view.over ? outcome() : up.some(one => one.acts) ? (several ? `Your turn: ${names(up)}` : 'Your turn')
    : soon.length ? (several ? `You are next: ${names(soon)}` : 'You are next') : tv ? asked_of() : '';
  $('turn').textContent = words;
  $('turn').hidden = !words;
  $('turn').classList.toggle('up', words.startsWith('Your turn'));
  const said = words && !view.over && `${words} ${view.round} ${view.now}`;
  if (said && said !== announced) {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(words.startsWith('Your turn') ? [200, 100, 200] : 80);
    awake();
  }
  announced = said;
}

// Which dice the TV waits for: a tick for those that have come.
function asked_of() {
  const asks = view.table.asks, what = ask => `${ask.dice}, ${ask.what}: `, name = ask => ask.name + (came[ask.key] ? ' ✓' : '');
  return [...new Set(asks.map(what))].map(row => row + asks.filter(ask => what(ask) === row).map(name).join(', ')).join(' · ');
}

// A phone with a character stays lit where the browser allows that (most do on https and localhost alone).
let lamp = null;
async function awake() {
  if (lamp || document.hidden || !mine().length) return;
  try {
    lamp = await navigator.wakeLock?.request('screen') ?? null;
    lamp?.addEventListener('release', () => { lamp = null; });
  } catch { lamp = null; }
}

function saying(me) {
  $('say').hidden = !me.length || muted;
  $('as').hidden = me.length < 2;
  const was = $('as').value;
  if ([...$('as').options].map(one => one.value).join() !== me.map(one => one.id).join())
    $('as').replaceChildren(...me.map(one => Object.assign(el('option', one.name), { value: one.id })));
  if (me.some(one => one.id === was)) $('as').value = was;
}

function danger(share) { // as in the terminal: quiet while whole, green, yellow at a half, red at a quarter
  return share >= 1 ? 'whole' : share <= 0.25 ? 'badly' : share <= 0.5 ? 'hurt' : '';
}

function card(one, own = false) {
  const made = el('article', '', 'one', camp(one), isNow(one) ? 'now' : '', one.present ? '' : 'away');
  const points = one.pools.filter(pool => pool.title).map(pool => `${pool.title} ${pool.now}${pool.max > 0 ? `/${pool.max}` : ''}`), head = el('div', '', 'head');
  head.append(el('span', one.label, 'label'), el('b', one.name), el('span', sideOf(one).replaceAll(' ', '\u00a0'), 'kind'));
  if (one.words && !(tv && one.health === 'unhurt')) head.append(el('span', one.words, 'health', one.health === 'badly hurt' ? 'badly' : one.health || 'untold'));
  made.append(head);
  const row = el('div', '', 'pools'), first = one.pools[0];
  if (first && first.max > 0) {
    const bar = el('div', '', 'bar', danger(first.now / first.max));
    const left = el('i');
    left.style.width = `${Math.max(0, Math.min(100, 100 * first.now / first.max))}%`;
    bar.append(left);
    row.append(bar);
  }
  row.append(...points.map(text => el('span', text)));
  if (dice && one.friend && one.present) row.append(...claiming(one));
  if (row.childElementCount) made.append(row);
  if (own && one.left) made.append(el('p', `Left: ${one.left}`, 'left'));
  if (one.effects.length) {
    const row = el('div', '', 'effects');
    row.append(...one.effects.map(effect => told_of(one, effect, own)));
    made.append(row);
  }
  return made;
}

// An effect of my own opens its rule at a tap.
function told_of(one, effect, own) {
  const words = (effect.words || effect.name) + (effect.until ? ' → ' + effect.until : ''), key = `${one.id} ${effect.name}`;
  if (!own || !effect.about) return el('span', words);
  const made = el('details'), head = el('summary', words);
  made.append(head, el('p', effect.about));
  return remembered(made, key);
}

// What a tap has opened stays open from step to step.
function remembered(made, key) {
  made.open = opened.has(key);
  made.ontoggle = () => opened[made.open ? 'add' : 'delete'](key);
  return made;
}

// Those who are out of the fight: one line that a tap opens, if there are several.
function gone_from(others) {
  const out = others.filter(one => !one.present), cards = out.map(one => card(one));
  if (out.length < 3) return cards;
  const made = el('details', '', 'out');
  made.append(el('summary', `${out.length} out: ${out.map(one => one.name).join(', ')}`), ...cards);
  return [remembered(made, 'out')];
}

function camp(one) { return one.friend ? 'friend' : one.ally ? 'ally' : 'foe'; }

// Friend, ally or foe is told by colour; a side's name is wanted only where there are several of them.
function sideOf(one) {
  if (tv) return '';
  const alike = view.sides.filter(side => side.friend === one.friend);
  return alike.length > 1 ? alike.find(side => side.id === one.side)?.name ?? '' : '';
}

function list(id, texts, names = []) {
  $(id).hidden = !texts.length;
  $(id).lastElementChild.replaceChildren(...texts.map(text => el('li', text, names.some(name => text.includes(name)) ? 'own' : '')));
}

function state() {
  const mode = view && view.table ? view.table.mode : 'live', stale = document.body.classList.contains('stale');
  $('state').textContent = gone ? 'This address is no longer good: ask the GM for the new one.' : stale ? 'Not live. Trying again …' : STATES[mode] ?? '';
  $('state').hidden = !$('state').textContent;
  $('state').classList.toggle('pause', !stale);
}

// -- a picture of the GM's --------------------------------------------------------------------------------------------

function handout() {
  $('handout').hidden = !picture;
  document.body.classList.toggle('handed', Boolean(picture));
  if ($('handout').dataset.picture === picture) return;
  $('handout').dataset.picture = picture;
  $('handout').classList.remove('small');
  $('handout').replaceChildren(...(picture ? [Object.assign(el('img'), { src: `picture?${picture}`, alt: 'A picture the GM shows' })] : []));
}

// -- the outcome ------------------------------------------------------------------------------------------------------

function outcome() {
  const ours = view.combatants.filter(one => one.friend), rest = view.combatants.filter(one => !one.friend && !one.ally);
  const up = people => people.filter(one => one.acts && one.present).length;
  const lost = ours.filter(one => !one.acts || !one.present).map(one => `${one.name} ${one.status}`);
  const rounds = view.round === 1 ? '1 round' : `${view.round} rounds`;
  return [`After ${rounds}: ${up(ours)} of ${ours.length} of yours stand`, ...lost, `${rest.length - up(rest)} of ${rest.length} foes are out`].join(' · ');
}

// -- the map ----------------------------------------------------------------------------------------------------------

function svg(name, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

// How many tokens wide a line is.
const LINE = 14;

// On a line each token stands above its place, as low as there is room beside those placed before it.
function levels(standing, x) {
  const taken = [];
  return new Map(standing.map(one => {
    const middle = x(one.at[0]);
    let level = taken.findIndex(middles => middles.every(other => Math.abs(other - middle) >= 1.02));
    if (level < 0) level = taken.push([]) - 1;
    taken[level].push(middle);
    return [one.id, level];
  }));
}

// A zone of a line stands above its distances.
function arch(middle, radius, foot) {
  return `M${middle - radius} ${foot}A${radius} 1.1 0 0 1 ${middle + radius} ${foot}`;
}

function squares(one) {
  const sides = [...Array(one.space).keys()];
  return sides.flatMap(x => sides.map(y => `${one.at[0] + x} ${one.at[1] + y}`));
}

function board() {
  const ground = view.board, standing = view.combatants.filter(one => one.at);
  $('board').hidden = !ground;
  $('tabs').hidden = tv || !ground;
  if (!ground) {
    document.body.classList.remove('map');
    picked = null;
    return $('ground').replaceChildren();
  }
  const line = ground.kind === 'line', places = standing.map(one => one.at[0]);
  const least = line ? Math.min(0, ...places) : 0, most = line ? Math.max(ground.width, 1, ...places) : ground.width;
  const width = line ? LINE : ground.width, x = place => line ? 1.5 + (place - least) / (most - least || 1) * (width - 3) : place;
  standing.sort((one, other) => other.present - one.present);
  const above = line ? levels(standing, x) : new Map(), height = line ? Math.max(5, ...[...above.values()].map(level => level + 3)) : ground.height;
  $('board').classList.toggle('line', line);
  scale = { line, width, height, place: at => line ? least + (at - 1.5) / (width - 3) * (most - least || 1) : at, tokens: [] };
  const picture = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Map' });
  const stood = new Set(line ? [] : standing.flatMap(squares));
  for (const tile of ground.tiles) {
    const style = [tile.style, tile.word].find(word => ['wall', 'water'].includes(word)) ?? 'tile';
    picture.append(svg('rect', { x: tile.x, y: tile.y, width: 1, height: 1, class: style }));
    if (tile.sign && style !== 'wall' && !stood.has(`${tile.x} ${tile.y}`)) picture.append(svg('text', { x: tile.x + 0.5, y: tile.y + 0.72, 'font-size': 0.6, class: 'sign' }, tile.sign));
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
    picture.append(svg('path', { d: arch(x(zone.middle), Math.max(1, (zone.radius ?? 1) / (most - least || 1) * width), height - 1), class: 'zone' }));
  if (line) {  // the distances at which combatants stand, where there is room for the number
    let last = -9;
    for (const place of [...new Set(places)].sort((one, other) => one - other)) {
      if (x(place) - last < 1.4) continue;
      last = x(place);
      picture.append(svg('text', { x: last, y: height - 0.25, 'font-size': 0.5, class: 'sign far' }, `${place} ${unit()}`));
    }
  }
  for (const one of standing.reverse()) {  // the living are drawn above the dead
    const size = line ? 1 : one.space;
    const left = line ? x(one.at[0]) - 0.5 : one.at[0], top = line ? height - 2 - above.get(one.id) : one.at[1];
    const group = svg('g', { class: `${camp(one)}${isNow(one) ? ' now' : ''}${one.present ? '' : ' away'}` });
    group.append(one.friend || one.ally
      ? svg('circle', { cx: left + size / 2, cy: top + size / 2, r: size * 0.42, class: 'token' })
      : svg('rect', { x: left + size * 0.1, y: top + size * 0.1, width: size * 0.8, height: size * 0.8, class: 'token' }));
    group.append(svg('text', { x: left + size / 2, y: top + size * 0.7, 'font-size': 0.55 * size }, one.label), svg('title', {}, one.name));
    const points = one.pools[0];
    if (points && points.max > 0 && one.present) {
      const bar = { x: left + size * 0.15, y: top + size * 0.86, height: 0.1 }, share = Math.max(0, Math.min(1, points.now / points.max));
      group.append(svg('rect', { ...bar, width: size * 0.7, class: 'empty' }), svg('rect', { ...bar, width: size * 0.7 * share, class: `full ${danger(share)}` }));
    }
    scale.tokens.push({ one, left, top, size });
    picture.append(group);
  }
  if (picked) picture.append(svg('rect', { x: picked.x, y: picked.y, width: 1, height: 1, class: 'picked' }));
  $('ground').replaceChildren(picture);
  if (tv || !picture.clientWidth) return;  // the TV shows all of it, a tab that is not open nothing
  frame(standing);
  where();
}

// A tap picks a square, or a place on the line; one finger moves a map that is enlarged, two fingers enlarge it.
const FINEST = 5, READABLE = 30;
let lens = null, scale = null, picked = null;
const fingers = new Map();
let moved = false, spread = 0;

// At first a map is as large as its letters can be read, around my character or whose turn it is.
function frame(standing) {
  if (lens && lens.of === `${scale.width} ${scale.height}`) return look(lens.x, lens.y, lens.w);
  const box = $('ground').firstChild, w = scale.line ? scale.width : Math.min(whole(), box.clientWidth / READABLE);
  const one = standing.find(one => mine().includes(one.id)) ?? standing.find(isNow) ?? standing[0];
  const [x, y] = one && !scale.line ? one.at : [scale.width / 2, scale.height / 2];
  lens = { of: `${scale.width} ${scale.height}` };
  look(x + 0.5 - w / 2, y + 0.5 - w * shape() / 2, w);
}

// How high the map's box is, in parts of its width, and how many squares wide it is with all of the map in it.
function shape() { const box = $('ground').firstChild; return box.clientHeight / box.clientWidth; }
function whole() { return Math.max(scale.width, scale.height / shape()); }

function seen_at(event) {
  const found = new DOMPoint(event.clientX, event.clientY).matrixTransform($('ground').firstChild.getScreenCTM().inverse());
  return { x: found.x, y: found.y };
}

function look(x, y, w) {
  const kept = (at, size, all) => size >= all ? (all - size) / 2 : Math.max(0, Math.min(all - size, at));
  lens.w = Math.min(whole(), Math.max(FINEST, w));
  lens.h = lens.w * shape();
  lens.x = kept(x, lens.w, scale.width);
  lens.y = kept(y, lens.h, scale.height);
  $('ground').firstChild.setAttribute('viewBox', `${lens.x} ${lens.y} ${lens.w} ${lens.h}`);
  $('whole').hidden = lens.w >= whole() * 0.98;
}

function enlarge(by, at) {
  const w = Math.min(whole(), Math.max(FINEST, lens.w / by)), share = w / lens.w;
  look(at.x - (at.x - lens.x) * share, at.y - (at.y - lens.y) * share, w);
}

function gap() {
  const [one, other] = [...fingers.values()];
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
}

function where() {
  const on = picked?.who ? view.combatants.find(one => one.id === picked.who && one.at) : null;
  $('ping').hidden = !picked || !mine().length || !dice;
  if (!picked) return void ($('where').textContent = '');
  const mines = view.combatants.filter(one => mine().includes(one.id) && one.at && one !== on);
  const far = mines.map(one => `${distance(one, on)} from ${one.name}`);
  const name = on ? `${on.name}${on.words ? ', ' + on.words : ''}` : scale.line ? `at ${Math.round(picked.place)} ${unit()}` : `square ${picked.x}, ${picked.y}`;
  $('where').textContent = [name, ...far].join(' · ');
}

function unit() { return view.board.unit.split(' ').at(-1); }

// How far a combatant of mine is from what is picked: squares between the nearest two, or the way along the line.
function distance(one, on) {
  if (scale.line) return `${Math.abs(one.at[0] - (on ? on.at[0] : Math.round(picked.place)))} ${unit()}`;
  const to = on ? { at: on.at, space: on.space } : { at: [picked.x, picked.y], space: 1 };
  const between = axis => Math.max(0, to.at[axis] - (one.at[axis] + one.space - 1), one.at[axis] - (to.at[axis] + to.space - 1));
  const squares = Math.max(between(0), between(1));
  return squares === 1 ? '1 square' : `${squares} squares`;
}

function pick(event) {
  const at = seen_at(event);
  if (at.x < 0 || at.y < 0 || at.x >= scale.width || at.y >= scale.height) return;
  const hit = scale.tokens.filter(({ left, top, size }) => at.x >= left && at.x < left + size && at.y >= top && at.y < top + size).at(-1);
  picked = { x: Math.floor(at.x), y: Math.floor(at.y), place: scale.place(at.x), who: hit?.one.id ?? null };
  if (scale.line && hit) picked.place = hit.one.at[0];
  board();
}

if (!tv) {
  $('handout').onclick = () => $('handout').classList.toggle('small');
  $('ground').onpointerdown = event => {
    if (!fingers.size) moved = false;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) { spread = gap(); moved = true; }
    try { $('ground').setPointerCapture(event.pointerId); } catch { /* it is up again */ }
  };
  $('ground').onpointermove = event => {
    const before = fingers.get(event.pointerId);
    if (!before || !lens) return;
    if (fingers.size === 1) {
      if (!moved && Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < 8) return;
      moved = true;
      const was = seen_at(before), is = seen_at(event);
      look(lens.x + was.x - is.x, lens.y + was.y - is.y, lens.w);
    }
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) {
      const [one, other] = [...fingers.values()], now = gap();
      enlarge(now / spread, seen_at({ clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 }));
      spread = now;
    }
  };
  $('ground').onpointerup = event => {
    if (fingers.delete(event.pointerId) && !moved && lens) pick(event);
  };
  $('ground').onpointercancel = event => fingers.delete(event.pointerId);
  $('ground').addEventListener('wheel', event => { event.preventDefault(); enlarge(event.deltaY < 0 ? 1.25 : 0.8, seen_at(event)); }, { passive: false });
  $('whole').onclick = () => look(0, 0, whole());
  $('ping').onclick = async () => {
    if (!picked) return;
    const at = scale.line ? { x: Math.max(0, Math.round(picked.place)), y: 0 } : { x: picked.x, y: picked.y };
    if (await send('ping', { who: mine()[0], device, ...at })) $('where').textContent = 'The GM sees where.';
  };
  $('to-map').onclick = () => { document.body.classList.add('map'); board(); };
  $('to-fight').onclick = () => document.body.classList.remove('map');
}

// -- requests to the GM -----------------------------------------------------------------------------------------------

$('say').onsubmit = async event => {
  event.preventDefault();
  const text = $('words').value.trim(), tell = (words, wrong) => {
    $('said').textContent = words;
    $('said').classList.toggle('wrong', Boolean(wrong));
  };
  if (!text) return;
  const answer = await send('say', { who: $('as').value, device, text }, tell);
  if (!answer) return;
  $('words').value = '';
  tell(`The GM reads: ${text}`);
};

// -- the players' dice ------------------------------------------------------------------------------------------------

function claiming(one) {
  if (claims[one.id] === tag && tag) {
    const leave = el('button', 'Not mine');
    leave.onclick = () => send('claim', { who: one.id, device, drop: true });
    return [leave];
  }
  if (claims[one.id]) return [el('span', 'taken', 'kind')];
  const some = mine().length > 0;
  if (!one.pc && !some) return [];  // a henchman goes with a character
  const take = el('button', some ? 'Mine, too' : 'This is me');
  take.onclick = async () => {
    const answer = await send('claim', { who: one.id, device });
    if (!answer?.tag) return;
    if (tag !== answer.tag) { tag = answer.tag; kept('tag', tag); listen(); }  // the GM reads that this phone is there
    show();
  };
  return [take];
}

// One form for each die that is asked of this phone; a form stays as long as its question does.
function asks(own) {
  const shown = !dice || !own.length ? [] : view.table.asks.filter(one => own.includes(one.who) || (one.shared && !claims[one.who]));
  const open = shown.filter(one => own.includes(one.who) || !came[one.key] || came[one.key] === tag);
  const before = new Map([...$('rolls').children].map(form => [form.dataset.key, form]));
  const forms = open.map(one => before.get(one.key) ?? question(one));
  if (forms.length !== before.size || forms.some((form, place) => $('rolls').children[place] !== form)) $('rolls').replaceChildren(...forms);
  $('rolls').hidden = !forms.length;
  document.body.classList.toggle('asked', forms.length > 0);
}

function question(asked) {
  const form = el('form'), input = el('input'), label = el('label', `${asked.name}: ${asked.dice}, ${asked.what}`);
  const submit = el('button', 'Send'), here = el('button', 'Roll here'), output = el('output');
  const said = (text, wrong) => { output.textContent = text; output.classList.toggle('wrong', Boolean(wrong)); };
  Object.assign(input, { id: `dice-${asked.key}`, inputMode: 'numeric', enterKeyHint: 'send', maxLength: 60 });
  input.placeholder = asked.sides.length === 1 ? `1–${asked.sides[0]}` : asked.faces ? 'each die' : 'total, or each die';
  label.htmlFor = input.id;
  form.dataset.key = asked.key;
  form.autocomplete = 'off';
  here.type = 'button';
  const [rolled, ...faces] = (kept(`thrown ${asked.key}`) ?? '').split(' ');  // a page that is loaded again has rolled already
  let thrown = rolled === 'rolled' ? faces.map(Number) : [];
  form.onsubmit = async event => {
    event.preventDefault();
    const typed = input.value.trim().split(/[\s,+]+/).filter(Boolean);
    if (!typed.length || typed.some(one => !/^\d{1,4}$/.test(one))) return said('Type the number you have rolled.', true);
    let faces = typed.map(Number);
    if (faces.length === 1 && asked.sides.length === 1 && asked.sides[0] === 100 && faces[0] === 0) faces = [100];
    const what = { ask: asked.key, who: asked.who, device };
    const answer = await send('roll', faces.length !== asked.sides.length && faces.length === 1 ? { ...what, total: faces[0] } : { ...what, faces }, said);
    if (answer) said(`Sent: ${typed.join(' ')}. The GM takes it.`);
  };
  here.onclick = () => {
    if (!thrown.length) {
      thrown = asked.sides.map(fair);
      forget();
      kept(`thrown ${asked.key}`, ['rolled', ...thrown].join(' '));
    }
    input.value = thrown.join(' ');
    said(`Rolled: ${thrown.join(' ')}`);
    form.requestSubmit();
  };
  form.append(label, input, submit, here, output);
  return form;
}

// Dice rolled here are kept while their question is open.
function forget() {
  try {
    const open = new Set(view.table.asks.map(one => `thrown ${one.key}`));
    for (const name of Object.keys(localStorage)) if (name.startsWith('thrown') && !open.has(name)) localStorage.removeItem(name);
  } catch { /* as above */ }
}

// What is said of a claim stands in the head.
function told(text) {
  $('told').textContent = text;
  $('told').hidden = !text;
}

async function send(where, what, said = told) {
  const tell = text => said(text, true);
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
  source = new EventSource(tv ? 'events?tv' : tag ? `events?${tag}` : 'events');
  source.addEventListener('beat', live);
  source.addEventListener('view', event => { live(); view = JSON.parse(event.data); show(); });
  source.addEventListener('claims', event => { ({ who: claims, came, muted, picture } = JSON.parse(event.data)); handout(); if (view) show(); });
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
if (tv) setInterval(() => { if (pages > 1 && view && !view.problem) { page++; show(); } }, PAGE);
addEventListener('resize', () => { if (view) show(); });
document.addEventListener('visibilitychange', () => { if (!document.hidden) { listen(); awake(); } });
addEventListener('online', listen);
addEventListener('offline', stale);
setInterval(() => { if (view?.clock && !view.problem) clock(); }, 1000);
setInterval(() => { if (Date.now() - heard > HEARD_WITHIN) { stale(); listen(); } }, 2000);
listen();
