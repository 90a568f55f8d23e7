/** Sizes of the diagram's boxes in pixels; its style sheet and its pictures keep to them. */
export const boxWidth = 264
export const headHeight = 36
export const rowHeight = 24
export const boxHeight = (columns: number) => headHeight + rowHeight * columns + 4

/** Where the middle of a column's row is below the top of its box. */
export const rowMiddle = (at: number) => headHeight + rowHeight * at + rowHeight / 2
