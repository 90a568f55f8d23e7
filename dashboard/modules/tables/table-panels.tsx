import { lazy, Suspense } from 'react'
import type { ColumnPanelProps } from './ColumnPanel.tsx'
import type { DropColumnProps } from './DropColumnDialog.tsx'
import type { DropTableProps } from './DropTableDialog.tsx'
import type { TablePanelProps } from './TablePanel.tsx'

const LazyTable = lazy(() => import('./TablePanel.tsx').then((m) => ({ default: m.TablePanel })))
const LazyColumn = lazy(() => import('./ColumnPanel.tsx').then((m) => ({ default: m.ColumnPanel })))
const LazyDropTable = lazy(() =>
  import('./DropTableDialog.tsx').then((m) => ({ default: m.DropTableDialog })),
)
const LazyDropColumn = lazy(() =>
  import('./DropColumnDialog.tsx').then((m) => ({ default: m.DropColumnDialog })),
)

/** The forms and dialogs about tables, for every page that offers them. Loaded when the first one opens. */
export const TablePanel = (props: TablePanelProps) => (
  <Suspense>
    <LazyTable {...props} />
  </Suspense>
)
export const ColumnPanel = (props: ColumnPanelProps) => (
  <Suspense>
    <LazyColumn {...props} />
  </Suspense>
)
export const DropTableDialog = (props: DropTableProps) => (
  <Suspense>
    <LazyDropTable {...props} />
  </Suspense>
)
export const DropColumnDialog = (props: DropColumnProps) => (
  <Suspense>
    <LazyDropColumn {...props} />
  </Suspense>
)
