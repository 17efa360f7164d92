import type { TimeUnit } from './time-words.ts';

const zoneHours: Readonly<Record<string, number>> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  bst: 1,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
};

interface Weekday {
  readonly day: number;
  /** 0: the day itself counts; 1: the next one behind it; -1: the last one before it. */
  readonly count: number;
}

/** A time that is put together from the parts of a text, in UTC. */
export class TimeFields {
  year: number;
  #month: number;
  #day: number;
  #time: readonly [hour: number, minute: number, second: number];
  #isDated = false;
  #isTimed = false;
  #zoneMinutes = 0;
  #edge: 'first' | 'last' | undefined;
  #weekday: Weekday | undefined;
  /** A day of the week that is told with `this week` or `next week` is one of that week. */
  #isOfWeek = false;
  #months = 0;
  #days = 0;
  #seconds = 0;
  #workdays = 0;
  isValid = true;

  constructor(from: number) {
    const date = new Date(from * 1000);
    this.year = date.getUTCFullYear();
    this.#month = date.getUTCMonth() + 1;
    this.#day = date.getUTCDate();
    this.#time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  }

  setStamp(seconds: number): void {
    this.setDate(1970, 1, 1);
    this.setTime(0, 0, 0);
    this.#seconds += seconds;
  }

  setWord(word: string): void {
    if (word === 'now') return;
    if (word === 'tomorrow') this.#days += 1;
    if (word === 'yesterday') this.#days -= 1;
    if (!this.#isTimed || word === 'noon') this.#time = [word === 'noon' ? 12 : 0, 0, 0];
    if (word === 'noon') this.#isTimed = true;
  }

  setDate(year: number, month: number, day: number): void {
    if (month > 12 || day > 31) this.isValid = false;
    this.year = year;
    this.#month = month;
    this.#day = day;
    this.#isDated = true;
  }

  setMonth(month: number): void {
    this.setDate(this.year, month, this.#day);
  }

  /** The day of a week by ISO 8601. */
  setWeek(year: number, week: number, day: number): void {
    const fourth = new Date(Date.UTC(year, 0, 4));
    this.setDate(year, 1, 4);
    this.#days += (week - 1) * 7 + day - (fourth.getUTCDay() || 7);
  }

  setTime(hour: number, minute: number, second: number): void {
    if (hour > 24 || minute > 59 || second > 60) this.isValid = false;
    this.#time = [hour, minute, second];
    this.#isTimed = true;
  }

  setEdge(edge: 'first' | 'last'): void {
    this.#edge = edge;
  }

  setZone(sign: string | undefined, hours: number, minutes: number): void {
    const length = hours * 60 + minutes;
    this.#zoneMinutes = sign === '-' ? -length : length;
  }

  setNamedZone(name: string): void {
    this.#zoneMinutes = (zoneHours[name] ?? 0) * 60;
  }

  setWeekday(day: number): void {
    this.addWeekday(day, 0);
  }

  addWeekday(day: number, count: number): void {
    this.#weekday = { day, count };
    if (!this.#isTimed) this.#time = [0, 0, 0];
  }

  /** By a word: `next week` makes a day of the week one of that week. */
  addNamed(unit: TimeUnit, amount: number): void {
    if (unit === 'week') this.#isOfWeek = true;
    this.add(unit, amount);
  }

  add(unit: TimeUnit, amount: number): void {
    switch (unit) {
      case 'second':
        this.#seconds += amount;
        return;
      case 'minute':
        this.#seconds += amount * 60;
        return;
      case 'hour':
        this.#seconds += amount * 3600;
        return;
      case 'day':
        this.#days += amount;
        return;
      case 'weekday':
        this.#workdays += amount;
        return;
      case 'week':
        this.#days += amount * 7;
        return;
      case 'fortnight':
        this.#days += amount * 14;
        return;
      case 'month':
        this.#months += amount;
        return;
      case 'year':
        this.#months += amount * 12;
        return;
      default:
        unit satisfies never;
    }
  }

  seconds(): number {
    const [hour, minute, second] = this.#isDated && !this.#isTimed ? [0, 0, 0] : this.#time;
    const month = this.#month - 1 + this.#months;
    const edge = this.#edge;
    const day = edge === 'first' ? 1 : this.#day;
    const monthDay = edge === 'last' ? 0 : day;
    const date = new Date(0);
    date.setUTCFullYear(this.year, edge === 'last' ? month + 1 : month, monthDay);
    date.setUTCDate(date.getUTCDate() + this.#days);
    this.#toWeekday(date);
    this.#overWorkdays(date);
    date.setUTCHours(hour ?? 0, minute ?? 0, second ?? 0);
    return Math.floor(date.getTime() / 1000) + this.#seconds - this.#zoneMinutes * 60;
  }

  #toWeekday(date: Date): void {
    if (this.#weekday === undefined) return;
    const { day, count } = this.#weekday;
    const today = date.getUTCDay();
    if (this.#isOfWeek) {
      date.setUTCDate(date.getUTCDate() + (day || 7) - (today || 7));
      return;
    }
    const ahead = (day - today + 7) % 7;
    if (count < 0) date.setUTCDate(date.getUTCDate() + (ahead === 0 ? -7 : ahead - 7));
    else if (count === 0) date.setUTCDate(date.getUTCDate() + ahead);
    else date.setUTCDate(date.getUTCDate() + (ahead === 0 ? 7 : ahead) + (count - 1) * 7);
  }

  #overWorkdays(date: Date): void {
    const step = Math.sign(this.#workdays);
    for (let left = Math.min(Math.abs(this.#workdays), 10_000); left > 0;) {
      date.setUTCDate(date.getUTCDate() + step);
      if (date.getUTCDay() !== 0 && date.getUTCDay() !== 6) left -= 1;
    }
  }
}
