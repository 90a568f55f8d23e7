import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { functions, type FunctionFile } from '#contract/functions'
import { useCall } from '../../api/client.ts'
import { useDenials } from '../../session/permissions.ts'
import { useProject } from '../../session/use-project.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
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
    <div className="sections">
      <Editor key={version} {...{ projectRef, slug, files, entrypoint, importMap }} />
      <TestCard projectRef={projectRef} slug={slug} />
    </div>
  )
}

type EditorProps = Props & {
  files: readonly FunctionFile[]
  entrypoint: string
  importMap: string | null
}

function Editor({ projectRef, slug, files: deployed, entrypoint, importMap }: EditorProps) {
  const why = useDenials(useProject(projectRef))
  const [files, setFiles] = useState(deployed)
  const denied = why(functions.deploy)
  const deploy = useCall(functions.deploy, {
    onSuccess: async ({ version }) => {
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
      {deploy.error && <Alert variant="danger" title={deploy.error.message} />}
      <CodeFiles {...{ files, entrypoint }} readOnly={denied !== undefined} onFiles={setFiles} />
    </Card>
  )
}
