import { GripVertical, MoveDiagonal2, Pencil, Trash2 } from 'lucide-react'
import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { reportColumns, type ReportBlock } from '#contract/observability/report-content'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import type { Place } from '../../../../modules/reports/layout.ts'

type Props = {
  block: ReportBlock
  /** What it is called for who moves it. */
  name: string
  /** Without it the block stays as it is. */
  edit?: {
    /** The pointer holds it: places are counted from how everything lies now, until it lets go. */
    onGrab: () => void
    onRelease: () => void
    onPlace: (to: Place) => void
    onEdit?: (() => void) | undefined
    onRemove: () => void
  }
  children: ReactNode
}

const steps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** A block in its place, with what moves it and changes its size: the pointer, or the arrow keys. */
export function BlockFrame({ block, name, edit, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const { x, y, w, h } = block
  const style = {
    gridColumn: `${x + 1} / span ${w}`,
    gridRow: `${y + 1} / span ${h}`,
  }
  const place = (how: 'move' | 'size', columns: number, rows: number): Place =>
    how === 'move' ? { x: x + columns, y: y + rows, w, h } : { x, y, w: w + columns, h: h + rows }

  function follow(how: 'move' | 'size') {
    return (event: PointerEvent<HTMLButtonElement>) => {
      const grid = box.current?.parentElement
      if (!edit || !grid || event.button !== 0) return
      event.preventDefault()
      const handle = event.currentTarget
      handle.focus()
      handle.setPointerCapture(event.pointerId)
      edit.onGrab()
      const { gap, gridAutoRows } = getComputedStyle(grid)
      const space = Number.parseFloat(gap)
      const column = (grid.clientWidth + space) / reportColumns
      const row = Number.parseFloat(gridAutoRows) + space
      const from = { x: event.clientX, y: event.clientY }
      const move = (at: globalThis.PointerEvent) =>
        edit.onPlace(
          place(
            how,
            Math.round((at.clientX - from.x) / column),
            Math.round((at.clientY - from.y) / row),
          ),
        )
      const end = () => {
        handle.removeEventListener('pointermove', move)
        handle.removeEventListener('lostpointercapture', end)
        edit.onRelease()
      }
      handle.addEventListener('pointermove', move)
      handle.addEventListener('lostpointercapture', end)
    }
  }
  const press = (how: 'move' | 'size') => (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    edit?.onPlace(place(how, ...step))
  }
  const where = `column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`
  return (
    <div className="report-block" style={style} ref={box} data-block={block.id}>
      {edit && (
        <div className="report-block-bar">
          <button
            type="button"
            className="report-grip"
            aria-label={`Move ${name}: ${where}`}
            title="Drag, or use the arrow keys"
            onPointerDown={follow('move')}
            onKeyDown={press('move')}
          >
            <Icon of={GripVertical} size="s" />
            <span className="ell">{name}</span>
          </button>
          {edit.onEdit && (
            <IconButton icon={Pencil} iconSize="s" label={`Edit ${name}`} onClick={edit.onEdit} />
          )}
          <IconButton icon={Trash2} iconSize="s" label={`Remove ${name}`} onClick={edit.onRemove} />
        </div>
      )}
      <div className="report-block-body">{children}</div>
      {edit && (
        <button
          type="button"
          className="report-corner"
          aria-label={`Resize ${name}: ${where}`}
          title="Drag, or use the arrow keys"
          onPointerDown={follow('size')}
          onKeyDown={press('size')}
        >
          <Icon of={MoveDiagonal2} size="s" />
        </button>
      )}
    </div>
  )
}
