import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { projects as api } from '#contract/projects/projects'
import { projectMoves } from '#contract/projects/project-status'
import type { Project } from '#contract/projects/projects'
import { listeners } from '#contract/operations/listeners'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { useSelfHosted } from '../../../session/organization/mode.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { useTrashDays } from '../../../session/project/trash.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { FormCard } from '../../../ui/controls/FormCard.tsx'
import { DangerCard } from '../../../ui/DangerCard.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { queryClient, useCall, q } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { ofProjectLists } from '../../../session/project/project-lists.ts'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Callout } from '../../../ui/Callout.tsx'
import { counted } from '../../../ui/text/number.ts'
import { Status } from '../../../ui/text/Status.tsx'
import { RestartDialog, PauseDialog, endpointOf, useProjectAction } from './project-actions.tsx'
import './projects.css'

type Props = {
  projectRef: string
  /** Cards of other features, above the one that deletes. */
  more: ReactNode
  onDeleted: (organizationSlug: string) => unknown
}

/** /project/{ref}/settings/general */
export function GeneralSettingsPage({ projectRef, more, onDeleted }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const selfHosted = useSelfHosted()
  return (
    <Page width="form">
      <PageHead title="General" help="Settings of this project." />
      <div className="sections">
        <NameCard project={project} />
        <Card title="Identity">
          <div className="labelled">
            <span>
              Project ref <span className="muted">Never changes. It is part of the URL.</span>
            </span>
            <CopyText text={project.ref} what="project ref" />
          </div>
        </Card>
        <PortCard project={project} />
        {!selfHosted && (
          <>
            <AvailabilityCard project={project} />
            {more}
            <DeleteCard project={project} onDeleted={() => onDeleted(project.organization_slug)} />
          </>
        )}
      </div>
    </Page>
  )
}

function NameCard({ project }: { project: Project }) {
  const { ref, organization_slug: organizationSlug } = project
  const reason = useDenials({ organizationSlug, projectRef: ref })(api.update)
  const { register, handleSubmit, reset, formState } = useForm({ values: { name: project.name } })
  const rename = useCall(api.update, {
    onAnswer: (renamed) => queryClient.setQueryData(projectQuery(ref).queryKey, renamed),
    changes: ofProjectLists,
    onSuccess: () => {
      toast.success('Name saved')
    },
  })
  const { errors, isDirty } = formState
  return (
    <FormCard
      title="Name"
      error={rename.error?.message}
      dirty={isDirty}
      pending={rename.isPending}
      reason={reason}
      onSubmit={handleSubmit(({ name }) => rename.mutate({ ref, name }))}
      onCancel={() => reset()}
    >
      <TextField
        label="Project name"
        autoComplete="off"
        help="3 to 64 characters. Shown in lists; nothing depends on it."
        readOnly={reason !== undefined}
        error={errors.name?.message}
        {...register('name', {
          validate: (name) =>
            (name.trim().length >= 3 && name.trim().length <= 64) ||
            'A name has 3 to 64 characters',
        })}
      />
    </FormCard>
  )
}

const isPort = (text: string) =>
  /^\d{4,5}$/.test(text) && Number(text) >= 1024 && Number(text) <= 65_535

/** A port of the platform's machine at which the project is served too; nothing where projects can have none. */
function PortCard({ project }: { project: Project }) {
  const { ref, organization_slug: organizationSlug } = project
  const query = q(listeners.get, { ref })
  const { data } = useQuery(query)
  const reason = useDenials({ organizationSlug, projectRef: ref })(listeners.set)
  const { register, handleSubmit, reset, formState } = useForm({
    values: { port: data?.port ? String(data.port) : '' },
  })
  const save = useCall(listeners.set, {
    onSuccess: (saved) => {
      queryClient.setQueryData(query.queryKey, saved)
      toast.success(saved.port === null ? 'The port is closed' : 'Port saved')
    },
  })
  if (!data?.offered) return null
  const { errors, isDirty } = formState
  return (
    <FormCard
      title="Port on this machine"
      error={save.error?.message}
      dirty={isDirty}
      pending={save.isPending}
      reason={reason}
      onSubmit={handleSubmit(({ port }) =>
        save.mutate({ ref, port: port === '' ? null : Number(port) }),
      )}
      onCancel={() => reset()}
    >
      <div className="form-stack">
        <TextField
          label="Port"
          inputMode="numeric"
          autoComplete="off"
          placeholder="None"
          help="Also serves the project at the root of this port, for programs on the same machine as the platform. 1024 to 65535; leave empty for none."
          readOnly={reason !== undefined}
          error={errors.port?.message}
          {...register('port', {
            validate: (port) => port === '' || isPort(port) || 'A port is from 1024 to 65535',
          })}
        />
        {data.url && <CopyText text={data.url} what="address" />}
        {data.problem && <Callout type="warning">{data.problem}</Callout>}
      </div>
    </FormCard>
  )
}

/** Restart, pause and resume: what the project's state and the reader's role allow. */
function AvailabilityCard({ project }: { project: Project }) {
  const { ref, status, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const off = useDisabledFeatures()
  const [asking, setAsking] = useState<'restart' | 'pause'>()
  const close = () => setAsking(undefined)
  const resume = useProjectAction('restore')
  const { label, tone } = statusView(status)
  const notNow = (possible: boolean) =>
    possible ? undefined : `The project is ${label.toLowerCase()}`
  const moves = projectMoves[status]
  return (
    <Card title="Availability" end={<Status tone={tone}>{label}</Status>} padded={false}>
      {!off('project_settings:restart_project') && (
        <div className="set-row">
          <div className="grow">
            <span className="med">Restart</span>
            <p>Open connections are closed for a moment.</p>
          </div>
          <Button
            disabledReason={why(endpointOf('restart')) ?? notNow(moves.includes('RESTARTING'))}
            onClick={() => setAsking('restart')}
          >
            Restart project
          </Button>
        </div>
      )}
      {moves.includes('RESTORING') &&
      status !== 'ACTIVE_HEALTHY' &&
      status !== 'ACTIVE_UNHEALTHY' ? (
        <div className="set-row">
          <div className="grow">
            <span className="med">Resume</span>
            <p>The database starts again with all its data.</p>
            {resume.error && (
              <p className="err" role="alert">
                {resume.error.message}
              </p>
            )}
          </div>
          <Button
            busy={resume.isPending}
            disabledReason={why(endpointOf('restore'))}
            onClick={() => resume.mutate({ ref })}
          >
            Resume project
          </Button>
        </div>
      ) : (
        <div className="set-row">
          <div className="grow">
            <span className="med">Pause</span>
            <p>The database stops and its data is kept.</p>
          </div>
          <Button
            disabledReason={why(endpointOf('pause')) ?? notNow(moves.includes('PAUSING'))}
            onClick={() => setAsking('pause')}
          >
            Pause project
          </Button>
        </div>
      )}
      <RestartDialog project={project} open={asking === 'restart'} onClose={close} />
      <PauseDialog project={project} open={asking === 'pause'} onClose={close} />
    </Card>
  )
}

type DeleteCardProps = { project: Project; onDeleted: () => unknown }

/** Deletes a project, and says how long it can be restored. */
function DeleteCard({ project, onDeleted }: DeleteCardProps) {
  const { ref, status, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const [asking, setAsking] = useState(false)
  const days = useKeptDays(project)
  const possible = projectMoves[status].includes('GOING_DOWN')
  const reason =
    why(endpointOf('remove')) ??
    (possible ? undefined : `The project is ${statusView(status).label.toLowerCase()}`)
  return (
    <DangerCard
      title="Delete project"
      about={
        days === 0
          ? 'The database and everything in it are removed. This cannot be undone.'
          : `Its server stops at once. You can restore it for ${counted(days, 'day')}; then it is removed for good.`
      }
      reason={reason}
      onAsk={() => setAsking(true)}
    >
      <DeleteDialog
        project={project}
        open={asking}
        onClose={() => setAsking(false)}
        onDeleted={onDeleted}
      />
    </DangerCard>
  )
}

/** Days for which it can be restored after its deletion. */
function useKeptDays({ status }: Project): number {
  const days = useTrashDays()
  // Nothing was made that could be restored.
  return status === 'INIT_FAILED' ? 0 : days
}

type DeleteDialogProps = {
  project: Project
  open: boolean
  onClose: () => void
  onDeleted: () => unknown
}

function DeleteDialog({ project, open, onClose, onDeleted }: DeleteDialogProps) {
  const days = useKeptDays(project)
  const remove = useProjectAction(
    'remove',
    () => toast.success(`${project.name} is being deleted`),
    onDeleted,
  )
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${project.name}`}
      verb="Delete project"
      typeName={project.name}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: project.ref })}
    >
      {days === 0 ? (
        <>
          <p>This deletes the project and everything in it. It cannot be undone.</p>
          <ul className="lost">
            <li>The database, with all its tables and rows</li>
            <li>Its users and their sessions</li>
            <li>Its API and its keys: apps that use them stop working</li>
          </ul>
        </>
      ) : (
        <>
          <p>
            {`You can restore the project for ${counted(days, 'day')}, from “Deleted projects” below the project list of its organization. Then it is removed for good.`}
          </p>
          <ul className="lost">
            <li>Apps that use its API or its database stop working at once</li>
            <li>Its data, users, files and keys are kept until then, and cost nothing</li>
            <li>Its read replicas are deleted at once</li>
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}
