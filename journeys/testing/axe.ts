import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type Axe from 'axe-core'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A page has a dozen colours and axe reads them thousands of times, which is a third of its work: each is read once. */
function rememberColours(): void {
  type Colour = {
    r: number
    g: number
    b: number
    alpha: number
    parseString(text: string): Colour
  }
  const { axe } = globalThis as unknown as {
    axe: { commons: { color: { Color: { prototype: Colour } } } }
  }
  const { prototype } = axe.commons.color.Color
  const { parseString } = prototype
  const known = new Map<string, Pick<Colour, 'r' | 'g' | 'b' | 'alpha'>>()
  prototype.parseString = function (text) {
    const read = known.get(text)
    if (read) return Object.assign(this, read)
    const { r, g, b, alpha } = parseString.call(this, text)
    known.set(text, { r, g, b, alpha })
    return this
  }
}

/**
 * What axe finds seriously wrong with a page, one line for each rule; without `rules` it goes by all that can find such a
 * thing. A document is given axe once however often it is looked at, and nothing is worked out for what is well, for rules
 * whose findings are never serious, or for pictures and styles of other places.
 */
export async function violationsOn(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(source)
    await page.evaluate(rememberColours)
  }
  const violations = await page.evaluate(async (values) => {
    type Rule = { id: string; impact: string; enabled: boolean; tags: string[] }
    // Every rule has one impact, which its findings have; the published types leave the rules out.
    const { axe } = globalThis as unknown as { axe: typeof Axe & { _audit: { rules: Rule[] } } }
    // What axe runs when it is asked for nothing special, without what is thrown away below.
    const serious = axe._audit.rules
      .filter(
        ({ enabled, tags }) => enabled && !tags.some((tag) => /experimental|deprecated/.test(tag)),
      )
      .filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .map(({ id }) => id)
    const results = await axe.run(document, {
      resultTypes: ['violations'],
      selectors: false,
      preload: false,
      // What people wrote is shown in frames; it is theirs.
      iframes: false,
      runOnly: { type: 'rule', values: values ?? serious },
    })
    return results.violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      found: nodes.map(({ html }) => html),
    }))
  }, rules)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, found }) => `${id}: ${found.join(' | ')}`)
}
