{{- define "plinth.labels" -}}
app.kubernetes.io/name: plinth
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* By which pods are found: of .root, and one component. Never changed, or an upgrade is refused. */ -}}
{{- define "plinth.selector" -}}
app.kubernetes.io/name: plinth
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "plinth.image" -}}
{{ required "image.repository: name the image that you have built" .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* One variable from a Secret: name, secret, key. */ -}}
{{- define "plinth.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end }}

{{- /* What both planes are told. */ -}}
{{- define "plinth.settings" -}}
{{- $v := .Values -}}
- name: NODE_ENV
  value: production
- name: HOST
  value: 0.0.0.0
- name: PORT
  value: "8000"
- name: PROJECT_PORT
  value: "8001"
- name: PLINTH_HOME
  value: /var/lib/plinth-home
- name: PLINTH_URL
  value: {{ required "addresses.dashboard: say how browsers reach the dashboard" $v.addresses.dashboard | quote }}
- name: PLINTH_PROJECT_URL
  value: {{ required "addresses.projects: say how a project is reached, with {ref} in it" $v.addresses.projects | quote }}
{{- with $v.addresses.trustedProxies }}
- name: PLINTH_TRUSTED_PROXIES
  value: {{ join "," . | quote }}
{{- end }}
- name: PLINTH_CONTROL_PLANE
  value: http://{{ .Release.Name }}-control-plane:8000
- name: PLINTH_DATA_PLANE
  value: http://{{ .Release.Name }}-data-plane:8001
{{ include "plinth.fromSecret" (dict "name" "PLINTH_INTERNAL_TOKEN" "secret" $v.platformSecret "key" "internal-token") }}
- name: PLINTH_S3_BUCKET
  value: {{ required "objects.bucket: name the bucket for files of projects" $v.objects.bucket | quote }}
{{- with $v.objects.endpoint }}
- name: PLINTH_S3_ENDPOINT
  value: {{ . | quote }}
{{- end }}
- name: PLINTH_S3_REGION
  value: {{ $v.objects.region | quote }}
{{- with $v.objects.prefix }}
- name: PLINTH_S3_PREFIX
  value: {{ . | quote }}
{{- end }}
{{- $objects := required "objects.secret: name the Secret with the access key of the bucket" $v.objects.secret }}
{{ include "plinth.fromSecret" (dict "name" "PLINTH_S3_ACCESS_KEY_ID" "secret" $objects "key" "access-key-id") }}
{{ include "plinth.fromSecret" (dict "name" "PLINTH_S3_SECRET_ACCESS_KEY" "secret" $objects "key" "secret-access-key") }}
{{- if $v.mail.urlSecret.name }}
{{ include "plinth.fromSecret" (dict "name" "SMTP_URL" "secret" $v.mail.urlSecret.name "key" $v.mail.urlSecret.key) }}
{{- end }}
{{- with $v.mail.from }}
- name: MAIL_FROM
  value: {{ . | quote }}
{{- end }}
{{- range $name, $value := $v.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- /* Of every pod: nobody's root, no token unless it needs one, no variables that the cluster adds by itself. */ -}}
{{- define "plinth.pod" -}}
enableServiceLinks: false
terminationGracePeriodSeconds: 30
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "plinth.selector" . | nindent 8 }}
{{- end }}

{{- /* Of every container. The wait lets the cluster send nobody here any more before the program closes. */ -}}
{{- define "plinth.container" -}}
image: {{ include "plinth.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
lifecycle:
  preStop:
    exec:
      command: [sleep, "5"]
{{- end }}

{{- /* A first start writes the tables of the platform, and may wait for its database. */ -}}
{{- define "plinth.probes" -}}
startupProbe:
  httpGet: { path: {{ . }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 60
readinessProbe:
  httpGet: { path: {{ . }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 3
livenessProbe:
  httpGet: { path: {{ . }}, port: http }
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: 6
{{- end }}
