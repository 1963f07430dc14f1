/** The four chairs, clockwise N E S W (E is N's left), and values kept one a chair. */

export const SEATS = ["N", "E", "S", "W"];

const shifted = (seat, by) => SEATS[(SEATS.indexOf(seat) + by) % 4];

export const left = (seat) => shifted(seat, 1);
export const opposite = (seat) => shifted(seat, 2);
export const right = (seat) => shifted(seat, 3);

/** The four chairs in order of play, from `start`. */
export const clockwise = (start) => [0, 1, 2, 3].map((by) => shifted(start, by));

/** The three opponents of a chair, in order of play. */
export const others = (seat) => clockwise(seat).slice(1);

/** The value of a function at each chair. */
export const four = (of) => ({ N: of("N"), E: of("E"), S: of("S"), W: of("W") });

export const sum = (values) => SEATS.reduce((total, seat) => total + values[seat], 0);
