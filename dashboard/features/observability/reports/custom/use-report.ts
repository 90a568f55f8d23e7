import { useRef, useState } from 'react'
import { isReport, snippets, type Report } from '#contract/database/snippets'
import type { ReportBlock } from '#contract/observability/report-content'
import { queryClient, useCall } from '../../../../api/client.ts'
import { movedTo, type Place } from '../../../../modules/reports/layout.ts'
import {
  customReportQuery,
  putInput,
  valuesOf,
  type ReportValues,
} from '../../../../modules/reports/custom-reports.ts'

/** A report and what somebody changes of it until it is saved. */
export function useReport(ref: string, report: Report) {
  const [draft, setDraft] = useState<readonly ReportBlock[]>()
  /** How everything lay when the pointer took a block. */
  const held = useRef<readonly ReportBlock[]>(undefined)
  const put = useCall(snippets.put, {
    onAnswer: (saved) => {
      if (isReport(saved))
        queryClient.setQueryData(customReportQuery(ref, report.id).queryKey, saved)
    },
    changes: [snippets.list],
    onSuccess: () => setDraft(undefined),
  })
  const { blocks: saved } = report.content
  const blocks = draft ?? saved
  const save = (changed: Partial<ReportValues>) =>
    put.mutateAsync(putInput(ref, { ...valuesOf(report), blocks, ...changed }))
  return {
    blocks,
    isEditing: draft !== undefined,
    isChanged: draft !== undefined && JSON.stringify(draft) !== JSON.stringify(saved),
    isSaving: put.isPending,
    error: put.error,
    edit: () => setDraft(saved),
    discard: () => {
      put.reset()
      setDraft(undefined)
    },
    change: setDraft,
    grab: () => {
      held.current = blocks
    },
    release: () => {
      held.current = undefined
    },
    place: (id: string, to: Place) =>
      setDraft((now) => movedTo(held.current ?? now ?? saved, id, to)),
    /** @throws CallError */
    save,
  }
}
