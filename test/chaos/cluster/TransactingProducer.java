import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes records in transactions, with several producers. Arguments: brokers, topic, count of producers.
 *
 * A line of standard input is a transaction: number, "commit" or "abort", milliseconds to stay open, then records, all with tabs
 * between them. A record is its partition, its value, and names and values of headers in turn, in Base64 with commas between them.
 * A line of standard output says what became of it: number, "committed", "aborted" or "unclear", and why. Ends with its input.
 */
public final class TransactingProducer {
  private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
  private final String brokers;
  private final String topic;

  private TransactingProducer(String brokers, String topic) {
    this.brokers = brokers;
    this.topic = topic;
  }

  public static void main(String[] arguments) throws Exception {
    TransactingProducer all = new TransactingProducer(arguments[0], arguments[1]);
    for (int index = 0; index < Integer.parseInt(arguments[2]); index += 1) {
      String id = "chaos-" + index;
      Thread thread = new Thread(() -> all.write(id), id);
      thread.setDaemon(true);
      thread.start();
    }
    say("ready");
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = input.readLine(); line != null; line = input.readLine()) all.orders.add(line);
    System.exit(0);
  }

  private void write(String id) {
    Producer<byte[], byte[]> producer = null;
    while (true) {
      String[] order = take();
      String outcome;
      try {
        if (producer == null) producer = open(id);
        producer.beginTransaction();
        List<Future<?>> sent = new ArrayList<>();
        for (int at = 3; at < order.length; at += 1) sent.add(producer.send(recordOf(order[at])));
        producer.flush();
        for (Future<?> one : sent) one.get();
        Thread.sleep(Long.parseLong(order[2]));
        if (order[1].equals("commit")) {
          producer.commitTransaction();
          outcome = "committed\tas planned";
        } else {
          producer.abortTransaction();
          outcome = "aborted\tas planned";
        }
      } catch (Exception thrown) {
        // Also without a request to commit: brokers that were killed meanwhile may forget the marker of an abort in a partition, and the
        // next transaction of this producer commits what is open there.
        outcome = "unclear\t" + String.valueOf(thrown).replaceAll("\\s+", " ");
        if (producer != null) producer.close(Duration.ZERO);
        producer = null;
      }
      say(order[0] + "\t" + outcome);
    }
  }

  private String[] take() {
    try {
      return orders.take().split("\t");
    } catch (InterruptedException thrown) {
      throw new IllegalStateException(thrown);
    }
  }

  private Producer<byte[], byte[]> open(String id) {
    Map<String, Object> settings = Map.of(
        "bootstrap.servers", brokers,
        "transactional.id", id,
        "enable.idempotence", true,
        "acks", "all",
        "transaction.timeout.ms", 15_000,
        "request.timeout.ms", 5_000,
        "delivery.timeout.ms", 15_000,
        "max.block.ms", 20_000,
        "reconnect.backoff.max.ms", 500);
    Producer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    try {
      producer.initTransactions();
      return producer;
    } catch (RuntimeException thrown) {
      producer.close(Duration.ZERO);
      throw thrown;
    }
  }

  private ProducerRecord<byte[], byte[]> recordOf(String text) {
    String[] parts = text.split(",", -1);
    ProducerRecord<byte[], byte[]> made = new ProducerRecord<>(topic, Integer.valueOf(parts[0]), null, bytesOf(parts[1]));
    for (int at = 2; at + 1 < parts.length; at += 2)
      made.headers().add(new String(bytesOf(parts[at]), StandardCharsets.UTF_8), bytesOf(parts[at + 1]));
    return made;
  }

  private static byte[] bytesOf(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
