import type { Page } from 'playwright-core'

/**
 * Presses the first cell of the grid. Its cells are drawn, so the mouse needs a place; the press waits until the grid
 * stands still and nothing covers it, since it is drawn anew when rows arrive.
 */
export async function pressFirstCell(page: Page, button: 'left' | 'right' = 'left'): Promise<void> {
  await page
    .locator('.dvn-scroller')
    .first()
    .click({ button, position: { x: 70, y: 46 } })
}

/** Chooses the cell of the first row in this column, counted from 0. */
export async function chooseInFirstRow(page: Page, column: number): Promise<void> {
  await pressFirstCell(page)
  await firstRowChosen(page, 0)
  for (let step = 1; step <= column; step++) {
    await page.keyboard.press('ArrowRight')
    await firstRowChosen(page, step)
  }
}

/** The grid tells assistive technology where it stands; a key that is pressed sooner may go to the cell before. */
async function firstRowChosen(page: Page, column: number): Promise<void> {
  await page
    .locator(`#glide-cell-${column + 1}-0[aria-selected=true]`)
    .waitFor({ state: 'attached' })
}

/** What a cell shows; columns and rows are counted from 0. The text is in the grid that assistive technology reads. */
export const cellText = (page: Page, column: number, row: number) =>
  page.locator(`#glide-cell-${column + 1}-${row}`)

const gutter = 44
const headHeight = 32
const rowHeight = 28

/** Places in a grid whose columns have these widths, in pixels of its box. */
export function places(widths: readonly number[]) {
  const from = (column: number) =>
    gutter + widths.slice(0, column).reduce((sum, width) => sum + width, 0)
  const width = (column: number) => widths[column] ?? 0
  const middleOf = (row: number) => headHeight + row * rowHeight + rowHeight / 2
  return {
    head: (column: number) => ({ x: from(column) + width(column) / 2, y: headHeight / 2 }),
    /** Where the mouse opens the menu of a head. */
    headMenu: (column: number) => ({ x: from(column) + width(column) - 14, y: headHeight / 2 }),
    /** Where the mouse makes a column wider. */
    edge: (column: number) => ({ x: from(column) + width(column) - 2, y: headHeight / 2 }),
    cell: (column: number, row: number) => ({ x: from(column) + 20, y: middleOf(row) }),
    /** The arrow of a cell that refers to another row. */
    arrow: (column: number, row: number) => ({
      x: from(column) + width(column) - 11,
      y: middleOf(row),
    }),
    /** The handle of a chosen cell, by which its value is drawn over others. */
    handle: (column: number, row: number) => ({
      x: from(column) + width(column) - 3,
      y: headHeight + (row + 1) * rowHeight - 3,
    }),
  }
}

type Point = { x: number; y: number }

export const pressAt = (page: Page, position: Point, button: 'left' | 'right' = 'left') =>
  page.locator('.dvn-scroller').first().click({ button, position })

/** Draws the mouse from one place of the grid to another, as slowly as a hand. */
export async function drag(page: Page, from: Point, to: Point): Promise<void> {
  const box = page.locator('.dvn-scroller').first()
  await box.dragTo(box, { sourcePosition: from, targetPosition: to, steps: 12 })
}

/** Chooses a cell with the mouse and waits until it is chosen. */
export async function chooseCell(
  page: Page,
  at: ReturnType<typeof places>,
  column: number,
  row: number,
): Promise<void> {
  await pressAt(page, at.cell(column, row))
  await page
    .locator(`#glide-cell-${column + 1}-${row}[aria-selected=true]`)
    .waitFor({ state: 'attached' })
}
