import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { functions, type FunctionFile } from '#contract/functions/functions'
import { useCall } from '../../../api/client.ts'
import { LeftWorkNote, useLeftWork, useWorkDrafts } from '../../../session/identity/left-work.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { UnsavedGate, useUnsaved } from '../../../session/identity/unsaved.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { CodeFiles } from './CodeFiles.tsx'
import { forgetFunctions, functionQuery, versionQuery } from './queries.ts'
import { TestCard } from './TestCard.tsx'
import './functions.css'

type Props = { projectRef: string; slug: string }

/** /project/{ref}/functions/{slug}/code: the active version, to change and to try. */
export function CodePage({ projectRef, slug }: Props) {
  const { data: active } = useQuery(functionQuery(projectRef, slug))
  const query = useQuery({
    ...versionQuery(projectRef, slug, active?.version ?? 0),
    enabled: active !== undefined,
  })
  if (query.error)
    return <ErrorNote what="the code" error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton width="60%" />
  const { version, files, entrypoint_path: entrypoint, import_map_path: importMap } = query.data
  return (
    <UnsavedGate>
      <div className="function-desk">
        <Editor key={version} {...{ projectRef, slug, version, files, entrypoint, importMap }} />
        <TestCard projectRef={projectRef} slug={slug} />
      </div>
    </UnsavedGate>
  )
}

/** Files that were changed and not deployed, and the version that was active then. */
type Code = { files: FunctionFile[]; version: number }

type EditorProps = Props & {
  version: number
  files: readonly FunctionFile[]
  entrypoint: string
  importMap: string | null
}

function Editor(props: EditorProps) {
  const { projectRef, slug, version: active, files: deployed, entrypoint, importMap } = props
  const why = useDenials(useProject(projectRef))
  const [files, setFiles] = useState(deployed)
  const [isKept, setKept] = useState(true)
  const drafts = useWorkDrafts<Code>('function-code', projectRef)
  const { left, settle } = useLeftWork(drafts, slug)
  // Whoever comes back to this page is asked what becomes of it.
  useEffect(() => () => drafts.leave(slug), [drafts, slug])
  // Where the browser has no room for it, leaving asks first.
  useUnsaved(files !== deployed && !isKept)
  function change(next: FunctionFile[]): void {
    setFiles(next)
    setKept(drafts.keep({ id: slug, at: Date.now(), work: { files: next, version: active } }))
  }
  const denied = why(functions.deploy)
  const deploy = useCall(functions.deploy, {
    onSuccess: async ({ version }) => {
      drafts.drop(slug)
      toast.success(`Version ${version} is deployed`)
      await forgetFunctions()
    },
  })
  const unchanged = files === deployed ? 'Nothing has changed' : undefined
  // A map that was taken away does not count any more.
  const map = files.some(({ path }) => path === importMap) ? importMap : null
  return (
    <Card
      title="Code"
      end={
        <Button
          variant="primary"
          busy={deploy.isPending}
          disabledReason={denied ?? unchanged}
          onClick={() =>
            deploy.mutate({
              ref: projectRef,
              function_slug: slug,
              entrypoint_path: entrypoint,
              import_map_path: map,
              files: [...files],
            })
          }
        >
          Deploy changes
        </Button>
      }
    >
      <div className="stack">
        {left && files === deployed && denied === undefined && (
          <LeftWorkNote
            left={left}
            title="Code that was not deployed"
            onDiscard={settle}
            onRestore={() => {
              change(left.work.files)
              settle()
            }}
          >
            {left.work.version !== active &&
              `It is based on version ${left.work.version}; version ${active} is active now.`}
          </LeftWorkNote>
        )}
        {deploy.error && <Alert variant="danger" title={deploy.error.message} />}
        <CodeFiles {...{ files, entrypoint }} readOnly={denied !== undefined} onFiles={change} />
      </div>
    </Card>
  )
}
