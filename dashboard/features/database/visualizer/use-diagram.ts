import { useReactFlow, type Node } from '@xyflow/react'
import { useEffect, useRef, useState } from 'react'
import { diagramLayouts } from '#contract/database/diagram-layouts'
import type { DiagramTable } from '#contract/database/table-shapes'
import { queryClient, useCall } from '../../../api/client.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { useCopy } from '../../../ui/controls/CopyButton.tsx'
import type { Placed } from './arrange.ts'
import { diagramSql, diagramSvg } from './diagram-export.ts'
import { linesOf, outsidesOf, boxHeight, boxWidth, headHeight } from './diagram.ts'
import type { ExportKind } from './DiagramBar.tsx'
import { type DiagramData, layoutQuery } from './queries.ts'
import { arranged } from './places.ts'

/** Browsers refuse canvases that are larger. */
const longestSide = 8192

/** An SVG as a PNG file, twice its size where that fits, so that text is sharp. */
async function savePicture(
  name: string,
  { svg, width, height }: { svg: string; width: number; height: number },
): Promise<void> {
  const scale = Math.min(2, longestSide / width, longestSide / height)
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = Math.ceil(width * scale)
    canvas.height = Math.ceil(height * scale)
    const pen = canvas.getContext('2d')
    if (!pen) throw new Error('This browser cannot draw pictures')
    pen.drawImage(image, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (!blob) throw new Error('The picture is too large for this browser')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(blob)
    link.download = name
    link.click()
    URL.revokeObjectURL(link.href)
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Moves in quick succession are saved together. */
const pause = 500

type Of = { projectRef: string; schema: string; data: DiagramData; onReset: () => void }

/** What can be done with the open diagram: keep, share, forget, arrange, export. */
export function useDiagram({ projectRef, schema, data, onReset }: Of) {
  const { getNodes, setNodes, fitView } = useReactFlow<DiagramNode>()
  const { copy } = useCopy()
  const [arranging, setArranging] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const input = { ref: projectRef, schema }
  const { queryKey } = layoutQuery(projectRef, schema)
  const save = useCall(diagramLayouts.save, {
    onSuccess: (own) =>
      // The page keeps its places; only the menu has to know that there are some.
      queryClient.setQueryData(queryKey, (now) => ({ shared: now?.shared ?? null, own })),
    onError: (error) => toast.error('The layout was not saved', { description: error.message }),
  })
  const share = useCall(diagramLayouts.share, {
    onSuccess: (shared) => {
      queryClient.setQueryData(queryKey, (now) => ({ own: now?.own ?? null, shared }))
      toast.success('Layout shared with the project')
    },
    onError: (error) => toast.error('The layout was not shared', { description: error.message }),
  })
  const reset = useCall(diagramLayouts.reset, {
    changes: [diagramLayouts.get],
    onSuccess: onReset,
    onError: (error) =>
      toast.error('The layout could not be reset', { description: error.message }),
  })
  const saveNow = () => {
    clearTimeout(timer.current)
    timer.current = undefined
    save.mutate({ ...input, positions: placesOf(getNodes()) })
  }
  const latest = useRef(saveNow)
  useEffect(() => {
    latest.current = saveNow
  })
  // What was moved just before the page was left is saved too.
  useEffect(() => () => void (timer.current !== undefined && latest.current()), [])

  function moveTo(places: readonly Placed[]) {
    const at = new Map(places.map(({ id, x, y }) => [String(id), { x, y }]))
    setNodes((nodes) =>
      nodes.map((node) => ({ ...node, position: at.get(node.id) ?? node.position })),
    )
  }

  return {
    arranging,
    find: (id: string) => void fitView({ nodes: [{ id }], maxZoom: 1, duration: 300 }),
    moved: () => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => latest.current(), pause)
    },
    share: () => share.mutate({ ...input, positions: placesOf(getNodes()) }),
    reset: () => reset.mutate(input),
    async arrange() {
      setArranging(true)
      try {
        const places = await arranged(data)
        moveTo(places)
        save.mutate({ ...input, positions: places })
        await fitView({ duration: 300 })
      } catch (error) {
        toast.error('The tables could not be arranged', {
          description: error instanceof Error ? error.message : String(error),
        })
      } finally {
        setArranging(false)
      }
    },
    async exportAs(kind: ExportKind) {
      const { tables, links } = data
      if (kind === 'sql') return copy(diagramSql(schema, tables, links))
      const positions = new Map(placesOf(getNodes()).map(({ id, x, y }) => [id, { x, y }]))
      const lines = linesOf(links)
      const picture = diagramSvg({ tables, outsides: outsidesOf(tables, links), lines }, positions)
      if (kind === 'svg') return saveFile(`${schema}.svg`, picture.svg, 'image/svg+xml')
      await savePicture(`${schema}.png`, picture).catch((error: unknown) =>
        toast.error('The image could not be saved', {
          description: error instanceof Error ? error.message : String(error),
        }),
      )
      return undefined
    },
  }
}

export type TableData = {
  projectRef: string
  schema: string
  table: DiagramTable
  /** The tables it points to, for those who cannot see the lines. */
  pointsTo: readonly string[]
}
export type TableNodeType = Node<TableData, 'table'>
export type OutsideNodeType = Node<{ name: string }, 'outside'>
export type DiagramNode = TableNodeType | OutsideNodeType

/** Boxes whose places and sizes are known, so that nothing has to be measured first. */
export function nodesOf(
  projectRef: string,
  schema: string,
  data: DiagramData,
  places: readonly Placed[],
): DiagramNode[] {
  const at = new Map(places.map(({ id, x, y }) => [id, { x, y }]))
  const boxOf = (id: number, height: number) => ({
    id: String(id),
    position: at.get(id) ?? { x: 0, y: 0 },
    width: boxWidth,
    height,
    // Said as measured, too, so that nothing moves when they are.
    measured: { width: boxWidth, height },
    // None: the library would look for the ends of lines in each box, and draw all boxes anew when it has looked.
    handles: [],
  })
  const outsides = outsidesOf(data.tables, data.links)
  const pointsTo = targetNames(data, new Map(outsides.map(({ id, name }) => [id, name])))
  return [
    ...data.tables.map((table): TableNodeType => ({
      ...boxOf(table.id, boxHeight(table.columns.length)),
      type: 'table',
      data: { projectRef, schema, table, pointsTo: pointsTo.get(table.id) ?? [] },
    })),
    ...outsides.map(({ id, name }): OutsideNodeType => ({
      ...boxOf(id, headHeight),
      type: 'outside',
      data: { name },
    })),
  ]
}

function targetNames({ tables, links }: DiagramData, outsides: ReadonlyMap<number, string>) {
  const names = new Map([...outsides, ...tables.map(({ id, name }) => [id, name] as const)])
  const found = new Map<number, string[]>()
  for (const { source, target } of links) {
    const name = names.get(target)
    const known = found.get(source) ?? []
    if (name !== undefined && !known.includes(name)) found.set(source, [...known, name])
  }
  return found
}

export const placesOf = (nodes: readonly DiagramNode[]): Placed[] =>
  nodes.map(({ id, position }) => ({
    id: Number(id),
    x: Math.round(position.x),
    y: Math.round(position.y),
  }))
