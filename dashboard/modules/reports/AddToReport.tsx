import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { maxBlocks } from '#contract/observability/report-content'
import { snippets } from '#contract/database/snippets'
import { call, forget, messageOf, queryClient } from '../../api/client.ts'
import { profileQuery } from '../../session/identity/profile.ts'
import { Alert } from '../../ui/Alert.tsx'
import { SelectField } from '../../ui/controls/Select.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import { FormDialog } from '../../ui/floats/FormDialog.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { withNew, type BlockContent } from './blocks.ts'
import { customReportQuery, customReportsQuery, putInput, valuesOf } from './custom-reports.ts'

type Props = { projectRef: string; content: BlockContent; onClose: () => void }

const newReport = 'new'

/** Puts what somebody looks at into one of their reports, or into a new one. */
export function AddToReport({ projectRef: ref, content, onClose }: Props) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data } = useInfiniteQuery(customReportsQuery(ref))
  const navigate = useNavigate()
  const own = (data?.pages ?? [])
    .flatMap((page) => page.data)
    .filter(({ owner_id }) => owner_id === profile.id)
  const [chosen, setChosen] = useState<string>()
  const id = chosen ?? own[0]?.id ?? newReport
  const [name, setName] = useState('')
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<string>()

  async function add(): Promise<string> {
    if (id === newReport) {
      const made = crypto.randomUUID()
      const values = { name: name.trim(), description: null, visibility: 'user' } as const
      const blocks = withNew([], content)
      await call(snippets.put, putInput(ref, { ...values, id: made, blocks, revision: 0 }))
      return made
    }
    // As it is by now, with what others of its owner's windows have saved.
    const report = await queryClient.fetchQuery({ ...customReportQuery(ref, id), staleTime: 0 })
    const values = valuesOf(report)
    if (values.blocks.length >= maxBlocks)
      throw new Error(`A report has at most ${maxBlocks} blocks`)
    await call(snippets.put, putInput(ref, { ...values, blocks: withNew(values.blocks, content) }))
    return id
  }
  async function submit() {
    setPending(true)
    try {
      const report = await add()
      await forget(snippets.list, snippets.item)
      onClose()
      toast.success('Added to the report', {
        action: {
          label: 'Open report',
          run: () =>
            void navigate({ to: '/project/$ref/reports/$report', params: { ref, report } }),
        },
      })
    } catch (failure) {
      setError(messageOf(failure))
      setPending(false)
    }
  }
  return (
    <FormDialog
      title="Add to a report"
      size="small"
      verb="Add to report"
      pending={isPending}
      disabled={id === newReport && name.trim() === ''}
      onSubmit={submit}
      onClose={onClose}
    >
      {own.length > 0 && (
        <SelectField
          label="Report"
          value={id}
          options={[
            ...own.map((report) => ({ value: report.id, label: report.name })),
            { value: newReport, label: 'New report' },
          ]}
          onChange={setChosen}
        />
      )}
      {id === newReport && (
        <TextField
          label="Name of the new report"
          value={name}
          maxLength={200}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      {error !== undefined && (
        <Alert variant="danger" title="It could not be added">
          {error}
        </Alert>
      )}
    </FormDialog>
  )
}
