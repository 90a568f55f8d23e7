import type { Page } from 'playwright-core'

/** Fields and buttons that are cut off: beyond the window, or by something around them that does not scroll. */
export const outOfReach = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isCut = (control: Element): boolean => {
      const { left, right, width } = control.getBoundingClientRect()
      // What only screen readers see is a dot.
      if (width <= 1) return false
      for (let around = control.parentElement; around; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around)
        if (overflowX === 'auto' || overflowX === 'scroll') return false
        const box = around.getBoundingClientRect()
        const cuts = overflowX === 'hidden' || overflowX === 'clip'
        if (cuts && (left < box.left - 1 || right > box.right + 1)) return true
      }
      return left < -1 || right > innerWidth + 1
    }
    return [...document.querySelectorAll('main :is(input, textarea, button, a)')]
      .filter(isCut)
      .map((control) => control.outerHTML.slice(0, 200))
  })
