"""Sends traces, metrics and logs with the OpenTelemetry SDK, which its environment alone configures; prints the ids of its spans.

Each item has the attribute `run`, the first argument.
"""

import json
import math
import os
import sys

from opentelemetry import trace
from opentelemetry._logs import SeverityNumber
from opentelemetry.metrics import Observation
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.metrics.view import ExponentialBucketHistogramAggregation, View
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Link, SpanKind, Status, StatusCode

if os.environ["OTEL_EXPORTER_OTLP_PROTOCOL"] == "grpc":
    from opentelemetry.exporter.otlp.proto.grpc._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
else:
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

START = 1_790_000_000_123_456_789
END = 1_790_000_001_000_000_001
tag = {"run": sys.argv[1]}

traces = TracerProvider()
traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
tracer = traces.get_tracer("shop", "1.2.3")

metrics = MeterProvider(
    metric_readers=[PeriodicExportingMetricReader(OTLPMetricExporter(), export_interval_millis=3_600_000)],
    views=[
        View(instrument_name="exponential", aggregation=ExponentialBucketHistogramAggregation()),
        View(instrument_name="counter", attribute_keys={"run"}),
    ],
)
meter = metrics.get_meter("shop")

logs = LoggerProvider()
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
logger = logs.get_logger("shop", "1.2.3")

parent = tracer.start_span("POST /orders", kind=SpanKind.SERVER, start_time=START, attributes=tag)
with trace.use_span(parent):
    link = Link(parent.get_span_context(), {"why": "retry"})
    attributes = {**tag, "db.rows": 2**63 - 1, "db.cost": 0.5, "db.ok": True, "db.tables": ["a", "b"]}
    child = tracer.start_span("SELECT", kind=SpanKind.CLIENT, start_time=START, links=[link], attributes=attributes)
    child.add_event("cache miss", {"key": 'a "b"'}, timestamp=START)
    child.set_status(Status(StatusCode.ERROR, "deadlock"))
    child.end(END)

    # Inside of a sampled span, so that each point has an exemplar of it; "customer" is of the exemplar alone.
    meter.create_counter("counter", unit="{orders}").add(2**53 + 1, {**tag, "customer": "c-17"})
    meter.create_up_down_counter("updown").add(-1.5, tag)
    histogram = meter.create_histogram("histogram", explicit_bucket_boundaries_advisory=[1.0, 10.0])
    exponential = meter.create_histogram("exponential")
    for value in (0.5, 5, 50, 500):
        histogram.record(value, tag)
    for value in (1, 2, 4, 0):
        exponential.record(value, tag)
    gauge = meter.create_gauge("gauge", unit="Cel")
    gauge.set(21.5, tag)


def observed(value: float):
    return [lambda _options: [Observation(value, tag)]]


meter.create_observable_counter("observed_counter", observed(7))
meter.create_observable_gauge("observed_gauge", observed(0.25))
meter.create_observable_up_down_counter("observed_updown", observed(-3))

context = trace.set_span_in_context(parent)
record = {"severity_number": SeverityNumber.WARN, "severity_text": "WARN", "timestamp": START, "observed_timestamp": END}
logger.emit(body='a line\nand "another" ✓', attributes=tag, context=context, **record)
body = {"order": {"id": 2**53 + 1, "items": [1, 2.5, None, True], "raw": b"\x00\xff"}}
logger.emit(body=body, attributes={**tag, "ratio": math.nan, "least": -math.inf}, event_name="order.placed", **record)
parent.end(END)

for provider in (traces, metrics, logs):
    provider.shutdown()


def ids(span) -> dict:
    found = span.get_span_context()
    return {"trace": trace.format_trace_id(found.trace_id), "span": trace.format_span_id(found.span_id)}


print(json.dumps({"parent": ids(parent), "child": ids(child)}))
