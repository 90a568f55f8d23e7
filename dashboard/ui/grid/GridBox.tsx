import {
  DataEditorCore,
  type DataEditorRef,
  emptyGridSelection,
  type EditListItem,
  type FillPatternEventArgs,
  type GridKeyEventArgs,
  type GridMouseEventArgs,
  type GridSelection,
  type Item,
} from '@glideapps/glide-data-grid'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Plus } from 'lucide-react'
import { IconButton } from '../controls/IconButton.tsx'
import { drawHead, headMenuWidth, linkWidth, markerRenderer } from './draw-cell.ts'
import { createColumnResize } from './column-resize.ts'
import { filled } from './fill.ts'
import { goneCell, gridCell, isOurs, renderer } from './grid-cell.ts'
import {
  gridTheme,
  gutterWidth,
  headHeight,
  rowHeight,
  sans,
  readColours,
  type GridColours,
} from './grid-theme.ts'
import type { DataGridProps, SelectionView } from './grid-types.ts'
import { createTypeAhead, isLetter, noteKey } from './type-ahead.ts'
import { emptied, useClipboard } from './use-clipboard.ts'
import '@glideapps/glide-data-grid/index.css'
import './grid.css'

const customRenderers = [renderer]
/** Images are never shown in cells; the grid only asks for something to ask. */
const noImages = {
  setWindow() {},
  loadOrGetImage: () => undefined,
  setCallback() {},
}

/** The grid itself: a canvas, and behind it an ARIA grid of what is visible. Loaded when the first one is shown. */
export function GridBox(props: DataGridProps) {
  const {
    label,
    columns,
    rowCount,
    cellAt,
    rowStateAt,
    rowLockedAt,
    onEdit,
    onEmpty,
    loadWhole,
    onSelect,
    reveal,
    selectionKey,
    onExpand,
    onHeadMenu,
    onCellMenu,
    onPeek,
  } = props
  const box = useRef<HTMLElement>(null)
  const grid = useRef<DataEditorRef>(null)
  const colours = useColours()
  const [typeAhead] = useState(createTypeAhead)
  const [edge] = useState(createColumnResize)
  const [selected, setSelected] = useState({ key: selectionKey, selection: emptyGridSelection })
  const selection = selected.key === selectionKey ? selected.selection : emptyGridSelection

  const getCellContent = useCallback(
    ([at, row]: Item) => {
      const column = columns[at]
      if (!column) return goneCell
      const view = cellAt(row, at)
      const deleted = rowStateAt?.(row) === 'deleted'
      const load = view.cut && loadWhole ? () => loadWhole(row, at) : undefined
      const locked = deleted || rowLockedAt?.(row) !== undefined
      const editable = onEdit !== undefined && column.editor !== undefined && !locked
      const expand = onExpand && (() => onExpand(row, at))
      return gridCell({ view, column, colours, deleted, load, typeAhead, expand }, editable)
    },
    [columns, cellAt, rowStateAt, rowLockedAt, onEdit, loadWhole, onExpand, colours, typeAhead],
  )
  const canEdit = (row: number, at: number) =>
    columns[at]?.editor !== undefined &&
    (row >= rowCount || (rowStateAt?.(row) !== 'deleted' && rowLockedAt?.(row) === undefined))
  useEffect(() => {
    if (reveal) grid.current?.scrollTo(reveal.column, reveal.row, 'both', 48, 56)
  }, [reveal])
  const cells = { columns: columns.length, rowCount, canEdit }
  useClipboard(box, {
    ...cells,
    selection: viewOf(selection),
    cellAt,
    loadWhole,
    onEdit,
    onEmpty,
    onProblem: props.onProblem,
  })
  const rowTheme = useCallback(
    (row: number) => {
      const state = rowStateAt?.(row)
      if (state === 'new') return { bgCell: colours.newRow }
      return state === 'deleted' ? { bgCell: colours.deletedRow } : undefined
    },
    [rowStateAt, colours],
  )
  const theme = useMemo(() => gridTheme(colours), [colours])
  const renderers = useMemo(() => [markerRenderer(colours, rowStateAt)], [colours, rowStateAt])
  const menus = onHeadMenu !== undefined
  const head = useMemo(() => drawHead(columns, colours, menus), [columns, colours, menus])
  const sized = useMemo(
    () => columns.map(({ id, name, width }) => ({ id, title: name, width })),
    [columns],
  )

  function select(next: GridSelection) {
    setSelected({ key: selectionKey, selection: next })
    onSelect?.(viewOf(next))
  }
  function edited(items: readonly EditListItem[]) {
    onEdit?.(
      items.flatMap(({ location: [column, row], value }) =>
        isOurs(value)
          ? [{ row, column, text: value.data.view.text, others: value.data.others }]
          : [],
      ),
      'typed',
    )
    return true
  }

  /** The grid would fill what is locked, and with the heads of values that are not here whole. */
  function fill({ patternSource, fillDestination, preventDefault }: FillPatternEventArgs) {
    preventDefault()
    filled(patternSource, fillDestination, { cellAt, canEdit, loadWhole }).then(
      (edits) => edits.length > 0 && onEdit?.(edits, 'filled'),
      (error: unknown) =>
        props.onProblem?.(error instanceof Error ? error.message : 'The cells could not be filled'),
    )
  }

  /** Heads are drawn, so what they say when they are pointed at is the box's own tip. */
  function pointed(event: GridMouseEventArgs) {
    if (!box.current) return
    const tip = event.kind === 'header' ? columns[event.location[0]]?.tip : undefined
    if (tip === undefined) box.current.removeAttribute('title')
    else box.current.title = tip
  }
  /** Shift+F10 opens the menu of a cell, and as in spreadsheets Alt+Down that of its column. */
  function openMenu({ key, shiftKey, altKey, bounds, location, ...event }: GridKeyEventArgs) {
    const ofCell = (key === 'F10' && shiftKey) || key === 'ContextMenu'
    const ofColumn = key === 'ArrowDown' && altKey
    if (!(ofCell ? onCellMenu : ofColumn && onHeadMenu) || !location || !bounds) return false
    event.preventDefault()
    const [column, row] = location
    if (ofCell) onCellMenu?.(row, column, bounds)
    else onHeadMenu?.(column, bounds)
    return true
  }
  /** The grid would write into cells what it takes for nothing; what that is, a column knows. */
  function toDelete(requested: GridSelection): false {
    if (requested.rows.length > 0) props.onDeleteRows?.(requested.rows.toArray())
    else onEmpty?.(emptied({ ...cells, selection: viewOf(requested) }))
    return false
  }

  return (
    <section className="grid-box" aria-label={label} ref={box}>
      <DataEditorCore
        ref={grid}
        width="100%"
        height="100%"
        columns={sized}
        rows={rowCount}
        getCellContent={getCellContent}
        getCellsForSelection
        customRenderers={customRenderers}
        renderers={renderers}
        imageWindowLoader={noImages}
        theme={theme}
        getRowThemeOverride={rowTheme}
        drawHeader={head}
        rowHeight={rowHeight}
        headerHeight={headHeight}
        rowMarkers={{
          kind: props.selectRows ? 'both' : 'number',
          startIndex: props.firstNumber ?? 1,
          width: gutterWidth,
          theme: { textLight: colours.faint, textDark: colours.faint, bgCell: colours.surface1 },
          headerTheme: { fontFamily: sans },
        }}
        gridSelection={selection}
        onGridSelectionChange={select}
        onKeyDown={(event) => {
          if (openMenu(event)) return event.cancel()
          // Letters typed into a cell are no shortcuts of the page.
          if (isLetter(event)) event.preventDefault()
          if (noteKey(typeAhead, event, performance.now())) event.cancel()
          return undefined
        }}
        onCellsEdited={edited}
        onPaste={false}
        onDelete={toDelete}
        fillHandle={onEdit !== undefined}
        onFillPattern={fill}
        freezeColumns={props.frozen ?? 0}
        onItemHovered={pointed}
        onHeaderClicked={(column, { localEventX: x, bounds, preventDefault, ...keys }) => {
          if (onHeadMenu && x >= bounds.width - headMenuWidth) {
            preventDefault()
            onHeadMenu(column, bounds)
          } else if (!onHeadMenu || !(keys.ctrlKey || keys.metaKey)) {
            props.onSort?.(column, keys.shiftKey)
          }
        }}
        onHeaderContextMenu={(column, event) => {
          if (!onHeadMenu) return
          event.preventDefault()
          onHeadMenu(column, event.bounds)
        }}
        onCellContextMenu={([column, row], event) => {
          if (!onCellMenu) return
          event.preventDefault()
          const { bounds, localEventX, localEventY } = event
          const place = { x: bounds.x + localEventX, y: bounds.y + localEventY }
          onCellMenu(row, column, { ...place, width: 1, height: 1 })
        }}
        onCellClicked={([column, row], { localEventX: x, bounds, button }) => {
          const linked = columns[column]?.mark === 'link' && cellAt(row, column).text !== null
          if (onPeek && linked && button === 0 && x >= bounds.width - linkWidth) onPeek(row, column)
        }}
        onCellActivated={([column, row]) => {
          const locked = rowLockedAt?.(row) ?? columns[column]?.locked
          if (onEdit && locked !== undefined) props.onLocked?.({ row, column })
        }}
        {...(props.onMove ? { onColumnMoved: props.onMove } : {})}
        onColumnResizeStart={(_column, width) => edge.start(width)}
        onColumnResize={(_column, width, column) => {
          if (edge.takes(width)) props.onResize?.(column, Math.round(width))
        }}
        onColumnResizeEnd={edge.end}
        {...(props.addColumn ? { rightElement: <AddColumn {...props.addColumn} /> } : {})}
        minColumnWidth={64}
        maxColumnWidth={900}
        columnSelect={onHeadMenu ? 'multi' : 'none'}
        rowSelect={props.selectRows ? 'multi' : 'none'}
        rowSelectionMode="multi"
        rangeSelect="rect"
        smoothScrollX
        smoothScrollY
        editOnType
        drawFocusRing
        keybindings={{
          search: false,
          copy: false,
          cut: false,
          paste: false,
          downFill: onEdit !== undefined,
          rightFill: onEdit !== undefined,
          selectRow: props.selectRows === true,
          selectColumn: onHeadMenu !== undefined,
        }}
      />
    </section>
  )
}

function viewOf({ current, rows, columns }: GridSelection): SelectionView {
  const range = current?.range
  return {
    range: range && { column: range.x, row: range.y, columns: range.width, rows: range.height },
    rows: rows.toArray(),
    columns: columns.toArray(),
  }
}

/** Behind the last head. */
function AddColumn({ deniedBecause, onAdd }: NonNullable<DataGridProps['addColumn']>) {
  return (
    <div className="grid-add-column">
      <IconButton
        icon={Plus}
        iconSize="s"
        label="New column"
        disabledReason={deniedBecause}
        onClick={onAdd}
      />
    </div>
  )
}

/** The colours of the current theme. Changes with the theme, and once when the fonts have arrived, to draw again with them. */
function useColours(): GridColours {
  const [colours, setColours] = useState(readColours)
  useEffect(() => {
    const again = () => setColours(readColours())
    const observer = new MutationObserver(again)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const system = matchMedia('(prefers-color-scheme: dark), (prefers-contrast: more)')
    system.addEventListener('change', again)
    if (document.fonts.status !== 'loaded') void document.fonts.ready.then(again)
    return () => {
      observer.disconnect()
      system.removeEventListener('change', again)
    }
  }, [])
  return colours
}
