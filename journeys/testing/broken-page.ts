import type { Page } from 'playwright-core'

/** Makes the page crash when it is left, as happens to one that a translation tool has rebuilt. */
export const breakPage = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const original = Node.prototype.removeChild
    Node.prototype.removeChild = function <T extends Node>(child: T): T {
      if (!(child instanceof Element) || !child.matches('.main'))
        return original.call(this, child) as T
      Node.prototype.removeChild = original
      throw new DOMException(
        "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
        'NotFoundError',
      )
    }
  })
