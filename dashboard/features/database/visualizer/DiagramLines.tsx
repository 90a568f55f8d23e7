import { ViewportPortal } from '@xyflow/react'
import { memo, useMemo } from 'react'
import { linesOf } from './diagram.ts'
import { lineDrawer } from './drawn-lines.ts'
import { placesOf, type DiagramNode } from './nodes.ts'
import type { DiagramData } from './queries.ts'

type Props = { data: DiagramData; nodes: readonly DiagramNode[] }

/**
 * What points from one table to another. One picture: the library's own edges each follow every move of the whole
 * diagram, and five hundred of them make that slow.
 */
export function DiagramLines({ data, nodes }: Props) {
  const draw = useMemo(() => lineDrawer(data.tables, linesOf(data.links)), [data])
  const places = new Map(placesOf(nodes).map(({ id, x, y }) => [id, { x, y }]))
  const chosen = new Set(nodes.filter(({ selected }) => selected).map(({ id }) => Number(id)))
  return (
    <ViewportPortal>
      <svg className="diagram-lines" aria-hidden>
        {draw(places).map(({ id, path, source, target }) => (
          <LinePath key={id} path={path} chosen={chosen.has(source) || chosen.has(target)} />
        ))}
      </svg>
    </ViewportPortal>
  )
}

const LinePath = memo(function LinePath({ path, chosen }: { path: string; chosen: boolean }) {
  return <path d={path} className={chosen ? 'chosen' : undefined} />
})
