// Configuration made of mixins: each adds one concern and knows only what it needs of the others.
local service = {
  name:: error 'a service needs a name',
  port:: 8080,
  labels:: { app: $.name },
  deployment: {
    labels: $.labels,
    containers: [{ name: $.name, ports: [$.port], env: $.env }],
  },
  env:: [],
};
local withEnv(name, value) = { env+:: [{ name: name, value: value }] };
local withLabel(name, value) = { labels+:: { [name]: value } };
local withReplicas(count) = { deployment+: { replicas: count } };
local withSidecar = {
  deployment+: { containers+: [{ name: $.name + '-proxy', ports: [$.port + 1], env: [] }] },
};
local debug = { port:: 9090 } + withEnv('LEVEL', 'debug');
{
  shop: service + withEnv('HOME', '/srv') + withLabel('tier', 'web') + withReplicas(2) + withSidecar + { name:: 'shop' },
  debug: self.shop + debug,
  plain: service { name:: 'plain' },
}
