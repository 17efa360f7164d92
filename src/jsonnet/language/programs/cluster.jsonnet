// Configuration of services out of mixins.
local service(name, port) = {
  local outer = self,
  name:: name,
  port:: port,
  labels:: { app: outer.name },
  deployment: {
    kind: 'Deployment',
    metadata: { name: outer.name, labels: outer.labels },
    replicas: 1,
    containers: [{ name: outer.name, ports: [outer.port], env: outer.env }],
  },
  env:: [],
};
local withEnv(values) = {
  env+:: [{ name: key, value: values[key] } for key in std.objectFields(values)],
};
local highlyAvailable = { deployment+: { replicas: super.replicas * 3 } };
local labelled = { labels+:: { team: 'data' } };
{
  [part.name]: part
  for part in [
    service('api', 8080) + highlyAvailable + withEnv({ LOG: 'info' }) + labelled,
    service('worker', 9090) + withEnv({ QUEUE: 'jobs' }) + withEnv({ LOG: 'debug' }),
  ]
}
