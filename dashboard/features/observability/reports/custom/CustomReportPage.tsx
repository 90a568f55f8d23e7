import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChartNoAxesColumn, RefreshCw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { snippets, type Report } from '#contract/database/snippets'
import { maxBlocks, type ReportBlock } from '#contract/observability/report-content'
import { CallError } from '../../../../api/client.ts'
import { aboutQuery } from '../../../../modules/logs/asked.ts'
import { keptMs, rangeOf } from '../../../../modules/logs/range.ts'
import { RangePicker } from '../../../../modules/logs/RangePicker.tsx'
import { profileQuery } from '../../../../session/identity/profile.ts'
import { UnsavedGate, useUnsaved } from '../../../../session/identity/unsaved.tsx'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { useWindowName } from '../../../../session/window-name.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { NotFound } from '../../../../ui/NotFound.tsx'
import { Page, PageHead } from '../../../../ui/Page.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import type { ReportParams } from '../report-params.ts'
import { AddBlock, EditBlock } from './AddBlock.tsx'
import { BlockBody } from './BlockBody.tsx'
import { BlockFrame } from './BlockFrame.tsx'
import { blockName } from '../../../../modules/reports/blocks.ts'
import { closed } from '../../../../modules/reports/layout.ts'
import { customReportQuery } from '../../../../modules/reports/custom-reports.ts'
import { ReportMenu } from './ReportMenu.tsx'
import { useReport } from './use-report.ts'
import './custom.css'

type Props = {
  projectRef: string
  id: string
  params: ReportParams
  onParams: (params: ReportParams) => void
}

/** /project/{ref}/reports/{id}: a report that somebody has put together. */
export function CustomReportPage({ id, ...props }: Props) {
  const { projectRef } = props
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(customReportQuery(projectRef, id))
  const all = () => void navigate({ to: '/project/$ref/reports', params: { ref: projectRef } })
  if (data)
    return (
      <UnsavedGate>
        <Loaded report={data} {...props} />
      </UnsavedGate>
    )
  if (error instanceof CallError && error.code === 404)
    return <NotFound action={<Button onClick={all}>All reports</Button>} />
  return (
    <Page>
      <PageHead title="Report" />
      {error ? (
        <ErrorNote what="The report" error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton width="40%" />
      )}
    </Page>
  )
}

type LoadedProps = Omit<Props, 'id'> & { report: Report }

function Loaded({ projectRef, report, params, onParams }: LoadedProps) {
  useWindowName(report.name)
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data: logsAbout } = useQuery(aboutQuery(projectRef))
  const why = useDenials(useProject(projectRef))
  const draft = useReport(projectRef, report)
  useUnsaved(draft.isChanged)
  const [now, setNow] = useState(() => Date.now())
  const [edited, setEdited] = useState<ReportBlock>()
  const kept = keptMs('edge_logs', logsAbout?.retention_days ?? 1)
  const { range: preset, from, to } = params
  const range = useMemo(
    () => rangeOf({ range: preset, from, to }, now, kept),
    [preset, from, to, now, kept],
  )
  const denied =
    report.owner_id === profile.id
      ? why(snippets.put, {
          subject: { id: profile.id },
          resource: { owner_id: profile.id, type: 'report' },
        })
      : `Only ${report.owner.username} can change it`
  const ask = (next: ReportParams) => {
    setNow(Date.now())
    onParams(next)
  }
  const { blocks, isEditing } = draft
  const full = blocks.length >= maxBlocks ? `A report has at most ${maxBlocks} blocks` : undefined
  return (
    <Page>
      <PageHead
        title={report.name}
        help={
          report.description ??
          (report.owner_id === profile.id
            ? 'A report of your own.'
            : `A report from ${report.owner.username}.`)
        }
        actions={
          isEditing ? (
            <>
              <AddBlock blocks={blocks} denied={full} onAdd={draft.change} />
              <Button onClick={draft.discard}>Discard</Button>
              <Button
                variant="primary"
                busy={draft.isSaving}
                disabledReason={draft.isChanged ? undefined : 'Nothing was changed'}
                onClick={() => void draft.save({}).then(() => toast.success('Saved'), ignored)}
              >
                Save
              </Button>
            </>
          ) : (
            <>
              <Button disabledReason={denied} onClick={draft.edit}>
                Edit
              </Button>
              <ReportMenu {...{ projectRef, report, denied }} save={draft.save} />
            </>
          )
        }
      />
      <div className="report-bar">
        <span className="report-bar-end">
          <RangePicker
            choice={params}
            range={range}
            source="edge_logs"
            kept={kept}
            onChoice={({ range: next, from: begin, to: end }) =>
              ask({ ...params, range: next, from: begin, to: end })
            }
          />
          <IconButton
            icon={RefreshCw}
            variant="secondary"
            label="Refresh"
            onClick={() => setNow(Date.now())}
          />
        </span>
      </div>
      {draft.error && (
        <Alert variant="danger" title="The report could not be saved">
          {draft.error.message}
        </Alert>
      )}
      {blocks.length === 0 && (
        <EmptyState
          icon={ChartNoAxesColumn}
          title="This report is empty"
          action={
            isEditing ? (
              <AddBlock blocks={blocks} denied={full} onAdd={draft.change} />
            ) : (
              <Button disabledReason={denied} onClick={draft.edit}>
                Edit report
              </Button>
            )
          }
        >
          Add charts of this project, queries of its database, and text.
        </EmptyState>
      )}
      <div className="report-grid">
        {blocks.map((block) => (
          <BlockFrame
            key={block.id}
            block={block}
            name={blockName(block)}
            {...(isEditing && {
              edit: {
                onGrab: draft.grab,
                onRelease: draft.release,
                onPlace: (place) => draft.place(block.id, place),
                onEdit: block.kind === 'chart' ? undefined : () => setEdited(block),
                onRemove: () => draft.change(closed(blocks.filter(({ id }) => id !== block.id))),
              },
            })}
          >
            <BlockBody
              {...{ projectRef, block, range, now }}
              onLastHour={() => ask({ ...params, range: '1h', from: undefined, to: undefined })}
            />
          </BlockFrame>
        ))}
      </div>
      {edited && (
        <EditBlock
          block={edited}
          onDone={(next) => {
            draft.change(blocks.map((block) => (block.id === next.id ? next : block)))
            setEdited(undefined)
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

/** The page shows what the save failed of. */
const ignored = (): void => undefined
