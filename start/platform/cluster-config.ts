import type { KubeConfig } from '@kubernetes/client-node'

/** Where the cluster is and who comes: from a file, or as this program finds it where it runs. Nothing of the client is loaded before. */
export async function clusterConfig(file: string | undefined): Promise<KubeConfig> {
  const { KubeConfig: Found } = await import('@kubernetes/client-node')
  const found = new Found()
  if (file === undefined) found.loadFromDefault()
  else found.loadFromFile(file)
  return found
}
