import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { tableViews, type TableLayout } from '#contract/database/table-views'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { call, queryClient } from '../../../../api/client.ts'
import { plainLayout } from './layout.ts'
import { tableViewsQuery } from '../queries.ts'

/** Milliseconds of quiet after which a layout is kept; dragging makes many. */
const quiet = 600

/** How this person likes to see this table, kept on the server. What is not kept in time is only a matter of looks. */
export function useLayout(projectRef: string, { schema, name: table }: EntityDetail) {
  const of = { ref: projectRef, schema, table }
  const query = tableViewsQuery(projectRef, schema, table)
  const kept = useQuery(query).data?.layout
  const [mine, setMine] = useState<TableLayout>()
  const unsaved = useRef<{ timer: number; save: () => void }>(undefined)

  function change(layout: TableLayout) {
    setMine(layout)
    window.clearTimeout(unsaved.current?.timer)
    const save = () => {
      unsaved.current = undefined
      call(tableViews.layout, { ...of, layout }, { keepalive: true }).then(
        () => queryClient.setQueryData(query.queryKey, (now) => now && { ...now, layout }),
        // The next change tries again; until then it is as this page shows it.
        () => undefined,
      )
    }
    unsaved.current = { save, timer: window.setTimeout(save, quiet) }
  }
  useEffect(() => {
    function saveNow() {
      window.clearTimeout(unsaved.current?.timer)
      unsaved.current?.save()
    }
    // A reload asks nobody to clean up.
    window.addEventListener('pagehide', saveNow)
    return () => {
      window.removeEventListener('pagehide', saveNow)
      saveNow()
    }
  }, [])
  return { layout: mine ?? kept ?? plainLayout, change }
}
