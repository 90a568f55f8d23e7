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
