import type { Plugin } from 'vite'

type Node = { type: string; start: number; end: number; [key: string]: unknown }
/** `text` in place of what stands from `start` to `end`. */
export type Edit = { start: number; end: number; text: string }

const dropped = ['input', 'returns']
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/**
 * Takes `input` and `returns` out of every `endpoint(…)` of the contract when the dashboard is built. The browser needs
 * an endpoint's name, method, path and permission only; what the schemas check is checked by the server. The contract is
 * pure data, so its calls are marked as free of side effects: schemas that nothing uses any more are then dropped, and
 * with them the schema library (25 kB), however large the contract grows.
 */
export function contractWithoutSchemas(): Plugin {
  return {
    name: 'plinth:contract-without-schemas',
    apply: 'build',
    transform: {
      filter: { id: /\/contract\/(?:[\w-]+\/)*[\w-]+\.ts$/ },
      handler(code) {
        // The parser's own type has no index signature; a walk over all properties needs one.
        return {
          code: applied(code, editsFor(this.parse(code) as unknown as Node)),
          map: null,
          // What is imported for its names alone goes where the names are used.
          moduleSideEffects: false,
        }
      },
    },
  }
}

/** Removals of the schema properties, and a pure mark around everything else that a bundler would take for an effect. */
export function editsFor(program: Node): Edit[] {
  const removals: Edit[] = []
  const marks: Edit[] = []
  const wrapped = new Set<Node>()
  walk(program, (node, inFunction) => {
    removals.push(...schemaProperties(node).map(({ start, end }) => ({ start, end, text: '' })))
    // What a function does happens when it is called, and may well be an effect: only its call is judged.
    if (inFunction) return
    const schema = schemaOf(node)
    if (schema) {
      wrapped.add(schema)
      marks.push(...pureFunction(schema))
    } else if (wrapped.has(node)) return
    else if (node.type === 'CallExpression') marks.push(...around(node, '(/* @__PURE__ */ ', ')'))
    // Spreading could call a getter, for all a bundler knows.
    else if (spreads(node)) marks.push(...pureFunction(node))
  })
  const isGone = ({ start, end }: Edit) => removals.some((r) => start >= r.start && end <= r.end)
  return [...removals, ...marks.filter((mark) => !isGone(mark))]
}

const around = ({ start, end }: Node, before: string, after: string): Edit[] => [
  { start, end: start, text: before },
  { start: end, end, text: after },
]

const pureFunction = (node: Node): Edit[] => around(node, '(/* @__PURE__ */ (() => (', '))())')

/**
 * What a call gives a name to. As a pure function it goes as a whole: a mark on the call alone keeps its arguments, and
 * a text with a value in it or a property that is read counts as an effect, which once kept the whole schema library.
 */
function schemaOf(node: Node): Node | undefined {
  const init = node.type === 'VariableDeclarator' ? asNode(node.init) : undefined
  return init?.type === 'CallExpression' && nameOf(init.callee) !== 'endpoint' ? init : undefined
}

const spreads = (node: Node): boolean =>
  [node.properties, node.elements].some(
    (parts) =>
      (node.type === 'ObjectExpression' || node.type === 'ArrayExpression') &&
      Array.isArray(parts) &&
      parts.some((part) => asNode(part)?.type === 'SpreadElement'),
  )

function schemaProperties(node: Node): Node[] {
  if (node.type !== 'CallExpression' || nameOf(node.callee) !== 'endpoint') return []
  const rest = asNode((node.arguments as unknown[])[2])
  if (rest?.type !== 'ObjectExpression') return []
  return (rest.properties as Node[]).filter(({ key }) => dropped.includes(nameOf(key) ?? ''))
}

/** The code with its edits; with a removal goes the comma after it. */
export function applied(code: string, edits: Edit[]): string {
  let result = ''
  let from = 0
  // Where two begin at one place the outer one was found first, and sorting keeps that.
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    result += code.slice(from, start) + text
    from = end > start ? end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0) : end
  }
  return result + code.slice(from)
}

function walk(node: Node, visit: (node: Node, inFunction: boolean) => void, inFunction = false) {
  visit(node, inFunction)
  const inside = inFunction || functions.has(node.type)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) {
      const found = asNode(child)
      if (found) walk(found, visit, inside)
    }
}

const asNode = (value: unknown): Node | undefined =>
  typeof value === 'object' && value !== null && 'type' in value ? (value as Node) : undefined

function nameOf(value: unknown): string | undefined {
  const node = asNode(value)
  return node?.type === 'Identifier' ? String(node.name) : undefined
}
