import { useState } from 'react'
import type { JsonNode } from './json-tree.ts'
import { numberText } from '../../../../ui/text/number.ts'

/** Parts of one object or list that are shown at a time. */
const shownParts = 100

/** JSON to be opened part by part; what is closed is not on the page. */
export function JsonTree({ node }: { node: JsonNode }) {
  return (
    <div className="json-tree mono">
      <Part name={undefined} node={node} begins />
    </div>
  )
}

type PartProps = { name: string | undefined; node: JsonNode; begins?: boolean }

function Part({ name, node, begins = false }: PartProps) {
  const [open, setOpen] = useState(begins)
  const [most, setMost] = useState(shownParts)
  const label = name !== undefined && <span className="muted">{name}: </span>
  if (node.kind === 'leaf')
    return (
      <p>
        {label}
        {node.text}
      </p>
    )
  const parts =
    node.kind === 'array'
      ? node.items.map((value, at) => ({ name: String(at), value }))
      : node.entries
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span className="faint">
          {node.kind === 'array' ? `[${parts.length}]` : `{${parts.length}}`}
        </span>
      </summary>
      {open &&
        parts.slice(0, most).map((part, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a name may come twice
          <Part key={at} name={part.name} node={part.value} />
        ))}
      {open && parts.length > most && (
        <button type="button" className="link" onClick={() => setMost(most + shownParts)}>
          {numberText(parts.length - most)} more
        </button>
      )}
    </details>
  )
}
