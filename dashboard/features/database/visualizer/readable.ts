import { useStore as useFlow, type ReactFlowState } from '@xyflow/react'
import { createContext, useContext, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

/** Pixels around the part that is seen whose tables are drawn whole, so that none is empty when it comes into sight. */
const margin = 300

/** From farther away nobody reads columns. */
const readableZoom = 0.4

type Ids = ReadonlySet<string>
const createReadable = () => createStore<{ ids: Ids }>(() => ({ ids: new Set() }))
const Readable = createContext(createReadable())
export const ReadableProvider = Readable.Provider

/**
 * Which tables can be read: from afar or out of sight nobody reads columns, and five hundred tables of them would be slow
 * to draw. Found once per move; a table that followed every move by itself would make each move slow.
 */
export function useReadable() {
  const [readable] = useState(createReadable)
  const found = useFlow(readableIds, sameIds)
  useEffect(() => readable.setState({ ids: found }), [found, readable])
  return readable
}

export const useIsReadable = (id: string) =>
  useStore(useContext(Readable), ({ ids }) => ids.has(id))

const none: Ids = new Set()

function readableIds({ transform: [left, top, zoom], width, height, nodes }: ReactFlowState): Ids {
  if (zoom < readableZoom) return none
  const isSeen = (x: number, y: number, w: number, h: number) =>
    x * zoom + left < width + margin &&
    (x + w) * zoom + left > -margin &&
    y * zoom + top < height + margin &&
    (y + h) * zoom + top > -margin
  return new Set(
    nodes
      .filter(({ position: { x, y }, width: w = 0, height: h = 0 }) => isSeen(x, y, w, h))
      .map(({ id }) => id),
  )
}

const sameIds = (a: Ids, b: Ids) =>
  a === b || (a.size === b.size && [...a].every((id) => b.has(id)))
