import {
  DataEditorCore,
  emptyGridSelection,
  type EditListItem,
  type GridSelection,
  type Item,
} from '@glideapps/glide-data-grid'
import '@glideapps/glide-data-grid/index.css'
import { useCallback, useMemo, useState } from 'react'
import { drawHead } from './draw-head.ts'
import { gridCell, isOurs, renderer } from './grid-cell.ts'
import { gridTheme, gutterWidth, headHeight, rowHeight, sans } from './grid-theme.ts'
import type { DataGridProps, SelectionView } from './grid-types.ts'
import { markerRenderer } from './markers.ts'
import { createTypeAhead, isLetter, noteKey } from './type-ahead.ts'
import { useColours } from './use-colours.ts'
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
    onEdit,
    loadWhole,
    onSelect,
    selectionKey,
  } = props
  const colours = useColours()
  const [typeAhead] = useState(createTypeAhead)
  const [selected, setSelected] = useState({ key: selectionKey, selection: emptyGridSelection })
  const selection = selected.key === selectionKey ? selected.selection : emptyGridSelection

  const getCellContent = useCallback(
    ([at, row]: Item) => {
      const column = columns[at]
      if (!column) throw new Error(`There is no column ${at}`)
      const view = cellAt(row, at)
      const deleted = rowStateAt?.(row) === 'deleted'
      const load = view.cut && loadWhole ? () => loadWhole(row, at) : undefined
      const editable = onEdit !== undefined && column.editor !== undefined && !deleted
      return gridCell({ view, column, colours, deleted, load, typeAhead }, editable)
    },
    [columns, cellAt, rowStateAt, onEdit, loadWhole, colours, typeAhead],
  )
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
  const head = useMemo(() => drawHead(columns, colours), [columns, colours])
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
        isOurs(value) ? [{ row, column, text: value.data.view.text }] : [],
      ),
    )
    return true
  }

  return (
    <section className="grid-box" aria-label={label}>
      <DataEditorCore
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
          // Letters typed into a cell are no shortcuts of the page.
          if (isLetter(event)) event.preventDefault()
          if (noteKey(typeAhead, event, performance.now())) event.cancel()
        }}
        onCellsEdited={edited}
        onPaste={onEdit !== undefined}
        fillHandle={onEdit !== undefined}
        onHeaderClicked={(column) => props.onSort?.(column)}
        onColumnResize={(_column, width, column) => props.onResize?.(column, Math.round(width))}
        minColumnWidth={64}
        maxColumnWidth={900}
        columnSelect="none"
        rowSelect={props.selectRows ? 'multi' : 'none'}
        rowSelectionMode="multi"
        rangeSelect="rect"
        smoothScrollX
        smoothScrollY
        editOnType
        drawFocusRing
        keybindings={{ search: false, selectRow: false, selectColumn: false }}
      />
    </section>
  )
}

function viewOf({ current, rows }: GridSelection): SelectionView {
  const range = current?.range
  return {
    range: range && { column: range.x, row: range.y, columns: range.width, rows: range.height },
    rows: rows.toArray(),
  }
}
