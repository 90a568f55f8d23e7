export type Sample = { labels: Record<string, string>; value: number }
export type Family = { type: string; help: string; samples: Sample[] }

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const number = /^(?:[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?|NaN|[+-]Inf)$/i

/**
 * Reads the text format of Prometheus (version 0.0.4) as strictly as it is written down: HELP and TYPE once and before the
 * samples of a family, which stand together; no sample twice; a newline at the end. @throws Error where it is otherwise
 */
export function parsed(text: string): Map<string, Family> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end')
  const families = new Map<string, Family>()
  let current: string | undefined
  const seen = new Set<string>()
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      if (!metricName.test(name)) throw new Error(`No name of a metric: ${line}`)
      if (families.has(name)) throw new Error(`A second HELP: ${line}`)
      families.set(name, { type: '', help: rest, samples: [] })
      current = name
      continue
    }
    if (keyword === 'TYPE') {
      const family = families.get(name)
      if (!family || current !== name || family.type !== '')
        throw new Error(`TYPE is not where it belongs: ${line}`)
      if (!['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(rest))
        throw new Error(`No type: ${line}`)
      // These have the names that dashboards know them by.
      if (rest === 'counter' && !/_total$|_total_|_network_(?:recv|send)$/.test(name))
        throw new Error(`A counter that does not say so: ${name}`)
      family.type = rest
      continue
    }
    const [, of = '', labels = '', value = ''] = /^([^{\s]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const family = families.get(of)
    if (!family || of !== current || family.type === '')
      throw new Error(`A sample outside of its family: ${line}`)
    if (!number.test(value)) throw new Error(`No number: ${line}`)
    const key = `${of}{${labels}}`
    if (seen.has(key)) throw new Error(`A sample twice: ${line}`)
    seen.add(key)
    family.samples.push({ labels: labelsOf(labels), value: Number(value) })
  }
  return families
}

function labelsOf(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  let rest = text
  while (rest !== '') {
    const match = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/.exec(rest)
    if (!match) throw new Error(`No labels: ${text}`)
    const [whole, name = '', value = ''] = match
    if (Object.hasOwn(found, name)) throw new Error(`A label twice: ${text}`)
    found[name] = value
    rest = rest.slice(whole.length)
  }
  return found
}
