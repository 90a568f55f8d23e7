import type { Backend } from '#data-plane/storage/backends/backend'
import type { Provider } from '#compute/provider'

/** What a project has stored goes when its database goes. */
export function withStoredFiles(
  files: Pick<Backend, 'removeProject'>,
  provider: Provider,
): Provider {
  return {
    ...provider,
    async destroy(ref) {
      await provider.destroy(ref)
      await files.removeProject(ref)
    },
  }
}
