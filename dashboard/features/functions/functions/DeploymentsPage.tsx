import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { functions, type FunctionVersion } from '#contract/functions/functions'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { CodeDiff } from '../../../ui/text/CodeDiff.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { addressOf } from '../../../api/address.ts'
import { send } from '../../../api/http.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { changedFiles, type ChangedFile } from './function-files.ts'
import { versionQuery, ofFunctions, versionsQuery } from './queries.ts'
import './functions.css'

/** /project/{ref}/functions/{slug}/deployments: every version, and the way back to one. */
export function DeploymentsPage({ projectRef, slug }: { projectRef: string; slug: string }) {
  const query = useQuery(versionsQuery(projectRef, slug))
  const why = useDenials(useProject(projectRef))
  const [shown, setShown] = useState<{ from: number; to: number }>()
  const [asked, setAsked] = useState<FunctionVersion>()
  const save = useMutation({
    mutationFn: (version: number) => download(projectRef, slug, version),
    onError: (error) =>
      toast.error('The version could not be downloaded', { description: error.message }),
  })
  const activate = useCall(functions.activate, {
    changes: ofFunctions,
    onSuccess: ({ version }) => {
      setAsked(undefined)
      toast.success(`Version ${version} is active`)
    },
  })
  /** With what a version is compared: the active one with the one before it, others with the active one. */
  const compared = ({ version, active }: FunctionVersion) => {
    const other = query.data?.find((each) => (active ? each.version < version : each.active))
    return other && { from: other.version, to: version }
  }
  return (
    <div className="card">
      <Table
        label="Deployments"
        columns={[
          {
            id: 'version',
            head: 'Version',
            width: '160px',
            cell: ({ version, active }) => (
              <span className="row">
                {version} {active && <Badge tone="success">Active</Badge>}
              </span>
            ),
          },
          { id: 'by', head: 'By', wideOnly: true, cell: (each) => each.deployed_by },
          {
            id: 'at',
            head: 'When',
            width: '140px',
            wideOnly: true,
            cell: (each) => <Time at={each.created_at} />,
          },
          {
            id: 'digest',
            head: 'SHA-256',
            width: '140px',
            wideOnly: true,
            cell: ({ sha256 }) => <span className="mono">{sha256.slice(0, 12)}</span>,
          },
          {
            id: 'actions',
            head: 'Actions',
            hideHead: true,
            width: '240px',
            numeric: true,
            cell: (version) => (
              <span className="row-acts">
                {compared(version) && (
                  <Button variant="ghost" onClick={() => setShown(compared(version))}>
                    {version.active ? 'Show changes' : 'Compare'}
                  </Button>
                )}
                <IconButton
                  icon={Download}
                  label={`Download version ${version.version}`}
                  onClick={() => save.mutate(version.version)}
                />
                {!version.active && (
                  <Button
                    disabledReason={why(functions.activate)}
                    onClick={() => setAsked(version)}
                  >
                    Activate
                  </Button>
                )}
              </span>
            ),
          },
        ]}
        rows={query.data}
        keyOf={({ version }) => String(version)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={null}
      />
      {shown && (
        <CompareDialog {...{ projectRef, slug, ...shown }} onClose={() => setShown(undefined)} />
      )}
      <ConfirmDialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={`Activate version ${asked?.version}`}
        verb="Activate version"
        danger={false}
        error={activate.error?.message}
        pending={activate.isPending}
        onConfirm={() =>
          asked && activate.mutate({ ref: projectRef, function_slug: slug, version: asked.version })
        }
      >
        <p>This version answers new requests. Running requests finish first.</p>
      </ConfirmDialog>
    </div>
  )
}

/** Fetches the files of a version with the session's token, which a plain link could not carry, and saves them as a zip. */
async function download(ref: string, slug: string, version: number): Promise<void> {
  const { path } = addressOf(functions.download, { ref, function_slug: slug, version })
  const response = await send({ method: 'GET', path })
  saveFile(`${slug}-${version}.zip`, await response.blob(), 'application/zip')
}

type Props = {
  projectRef: string
  slug: string
  /** Numbers of the versions; the second one is what the first became, or would become. */
  from: number
  to: number
  onClose: () => void
}

/** How the files of two versions differ. */
function CompareDialog({ projectRef, slug, from, to, onClose }: Props) {
  const before = useQuery(versionQuery(projectRef, slug, from))
  const after = useQuery(versionQuery(projectRef, slug, to))
  const error = before.error ?? after.error
  const retry = () => void Promise.all([before.refetch(), after.refetch()])
  const files =
    before.data && after.data ? changedFiles(before.data.files, after.data.files) : undefined
  return (
    <Dialog open onClose={onClose} size="xxxlarge" title={`Version ${from} and version ${to}`}>
      {error ? (
        <ErrorNote what="the versions" error={error} onRetry={retry} />
      ) : files ? (
        <Differences files={files} />
      ) : (
        <Skeleton width="60%" />
      )}
    </Dialog>
  )
}

function Differences({ files }: { files: readonly ChangedFile[] }) {
  const [chosen, setChosen] = useState(files[0]?.path)
  const file = files.find(({ path }) => path === chosen)
  if (!file) return <p>The files of both versions are the same.</p>
  return (
    <div className="function-compare">
      <SelectField
        label={files.length === 1 ? '1 file differs' : `${files.length} files differ`}
        options={files.map(({ path, change }) => ({ value: path, label: `${path} (${change})` }))}
        value={chosen}
        onChange={setChosen}
      />
      {file.binary ? (
        <p className="muted">{file.path} is no text, so its contents cannot be shown.</p>
      ) : (
        <CodeDiff key={file.path} label={file.path} before={file.before} after={file.after} />
      )}
    </div>
  )
}
