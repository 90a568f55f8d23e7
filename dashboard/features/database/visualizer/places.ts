import { queryOptions } from '@tanstack/react-query'
import type { DiagramLayout } from '#contract/database/diagram-layouts'
import { arrange, inRows, type Box, type Placed, type Connection } from './arrange.ts'
import { outsidesOf, boxHeight, headHeight } from './diagram.ts'
import type { DiagramData } from './queries.ts'

const boxesOf = ({ tables, links }: DiagramData): Box[] => [
  ...tables.map(({ id, columns }) => ({ id, height: boxHeight(columns.length) })),
  ...outsidesOf(tables, links).map(({ id }) => ({ id, height: headHeight })),
]

/** Up to here the page does not feel it. */
const fewBoxes = 40

export function arranged(data: DiagramData): Promise<Placed[]> {
  const boxes = boxesOf(data)
  return boxes.length <= fewBoxes
    ? Promise.resolve(arrange(boxes, data.links))
    : arrangeBeside(boxes, data.links)
}

/** Where everything stands: as it was left, what is new below it, and all of it arranged when nothing was kept. */
export const placesQuery = (
  ref: string,
  schema: string,
  data: DiagramData,
  kept: DiagramLayout | null,
) =>
  queryOptions({
    queryKey: ['diagram.places', ref, schema, kept?.updated_at, data.tables.map(({ id }) => id)],
    queryFn: async () => {
      const boxes = boxesOf(data)
      const known = new Map(kept?.positions.map((place) => [place.id, place]))
      const stays = boxes.flatMap(({ id }) => known.get(id) ?? [])
      if (stays.length === 0) return arranged(data)
      const added = boxes.filter(({ id }) => !known.has(id))
      const heights = new Map(boxes.map(({ id, height }) => [id, height]))
      const bottom = Math.max(...stays.map(({ id, y }) => y + (heights.get(id) ?? 0)))
      return [...stays, ...inRows(added, bottom + 64)]
    },
    staleTime: Infinity,
    gcTime: 0,
  })

/** `arrange` in a worker of its own. */
function arrangeBeside(
  boxes: readonly Box[],
  connections: readonly Connection[],
): Promise<Placed[]> {
  const worker = new Worker(new URL('./arrange-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<Placed[]>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Placed[]>) => resolve(data))
    worker.addEventListener('error', (event) =>
      reject(new Error(event.message || 'The tables could not be arranged')),
    )
    worker.postMessage({ boxes, connections })
  }).finally(() => worker.terminate())
}
